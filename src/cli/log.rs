//! Messages on standard error: text for people, or a JSON object a line.

use std::{
    fmt,
    io::{self, Write as _},
    sync::OnceLock,
};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    filter::LevelFilter,
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use super::args::Common;

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// One object a line: level, message, fields
    Json,
}

static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Whether messages are JSON.
pub(super) fn is_json() -> bool {
    FORMAT.get() == Some(&LogFormat::Json)
}

/// Sets up messages on standard error.
pub(super) fn start_log(common: &Common) {
    // A process runs one command.
    let _ = FORMAT.set(common.log_format);
    let level = match (common.quiet, common.verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::WARN,
        (false, 1) => LevelFilter::INFO,
        (false, _) => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_target(false)
        .without_time()
        .with_ansi(false);
    match common.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.event_format(Json).init(),
    }
    // A panic in a record becomes its row; its text is for those who ask.
    std::panic::set_hook(Box::new(|panic| tracing::info!("{panic}")));
}

/// Says something to people; in JSON it is a message without fields.
pub(super) fn say(words: &str) {
    if is_json() {
        let message = words.trim_end();
        tell(
            "info",
            message.strip_prefix("kifu: ").unwrap_or(message),
            &(),
        );
    } else {
        // Nobody may be listening.
        let _ = io::stderr().write_all(words.as_bytes());
    }
}

/// Says what ends the run.
pub(super) fn fail(error: &anyhow::Error) {
    let message = format!("{error:#}");
    if is_json() {
        tell("error", &message, &());
    } else {
        // Nobody may be listening; the status says it too.
        let _ = writeln!(io::stderr(), "kifu: {message}");
    }
}

/// Writes a message as JSON.
pub(super) fn tell(level: &str, message: &str, fields: &impl Serialize) {
    let fields = match serde_json::to_value(fields) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    // In one piece, as threads write too; and nobody may be listening.
    let _ = io::stderr().write_all(line(level, message, fields).as_bytes());
}

fn line(level: &str, message: &str, fields: Map<String, Value>) -> String {
    // In this order, which a map would not keep.
    let (level, message) = (Value::from(level), Value::from(message));
    let fields = Value::Object(fields);
    format!("{{\"level\":{level},\"message\":{message},\"fields\":{fields}}}\n")
}

/// Events as JSON.
struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut found = Found::default();
        event.record(&mut found);
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        writer.write_str(&line(&level, &found.message, found.fields))
    }
}

/// What an event holds.
#[derive(Default)]
struct Found {
    message: String,
    fields: Map<String, Value>,
}

impl Found {
    fn add(&mut self, field: &Field, value: Value) {
        self.fields.insert(field.name().to_owned(), value);
    }
}

impl Visit for Found {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        if field.name() == "message" {
            self.message = text;
        } else {
            self.add(field, text.into());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
        } else {
            self.add(field, value.into());
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.into());
    }
}

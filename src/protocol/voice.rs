//! What answers are written to.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// The output, shared with a thread that thinks.
pub(super) struct Voice<W>(Arc<Mutex<W>>);

impl<W> Clone for Voice<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Voice<W> {
    pub(super) fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes some lines at once.
    ///
    /// # Errors
    /// Where they cannot be written.
    pub(super) fn say(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{text}")?;
        output.flush()
    }
}

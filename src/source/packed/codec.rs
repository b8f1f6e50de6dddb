//! Decoders behind one face: bytes in, bytes out, and where a frame ends.

use std::io;

use flate2::{Decompress, FlushDecompress};
use zstd::{
    stream::raw::{DParameter, Decoder, Operation},
    zstd_safe,
};

/// How bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    /// Without header, as in zip archives.
    Deflate,
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

impl Codec {
    /// Its name in sentences.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Deflate => "deflate",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    /// Whether some bytes begin a frame (a member of a gzip file, a stream of
    /// the others).
    pub(super) fn begins(self, head: &[u8]) -> bool {
        match self {
            Self::Deflate => false,
            Self::Gzip => head.starts_with(&[0x1f, 0x8b]),
            Self::Zstd => {
                head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
                    || matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
            }
            Self::Xz => head.starts_with(b"\xfd7zXZ\0"),
            Self::Bzip2 => matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', ..]),
        }
    }
}

/// What one step of a decoder did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) used: usize,
    pub(super) written: usize,
    /// Whether the frame is at its end.
    pub(super) end: bool,
}

/// Why a decoder cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Corrupt,
    Checksum,
    /// The decoder needs more memory than it may have.
    Window,
    /// Something that the format allows and the decoder does not know.
    Unsupported,
}

/// A decoder for one frame after the other.
pub(super) enum Engine {
    Deflate(Decompress),
    Zstd(Decoder<'static>),
    Xz(liblzma::stream::Stream),
    Bzip2(bzip2::Decompress),
}

impl Engine {
    /// A decoder that may use some memory, in bytes.
    pub(super) fn new(codec: Codec, window: u64) -> io::Result<Self> {
        Ok(match codec {
            Codec::Deflate | Codec::Gzip => Self::Deflate(Decompress::new(false)),
            Codec::Zstd => {
                let mut decoder = Decoder::new()?;
                let log = window.max(1).ilog2().clamp(10, 31);
                decoder.set_parameter(DParameter::WindowLogMax(log))?;
                Self::Zstd(decoder)
            }
            Codec::Xz => {
                let stream = liblzma::stream::Stream::new_stream_decoder(window.max(1), 0);
                Self::Xz(stream.map_err(io::Error::from)?)
            }
            Codec::Bzip2 => Self::Bzip2(bzip2::Decompress::new(false)),
        })
    }

    /// Makes ready for the next frame.
    pub(super) fn restart(&mut self, window: u64) -> io::Result<()> {
        match self {
            Self::Deflate(inflate) => inflate.reset(false),
            // Begins a frame by itself.
            Self::Zstd(_) => {}
            Self::Xz(_) => *self = Self::new(Codec::Xz, window)?,
            Self::Bzip2(_) => *self = Self::new(Codec::Bzip2, window)?,
        }
        Ok(())
    }

    /// Decodes some bytes. Without input it gives what it holds back.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, Stop> {
        match self {
            Self::Deflate(inflate) => {
                let before = (inflate.total_in(), inflate.total_out());
                let status = inflate
                    .decompress(input, output, FlushDecompress::None)
                    .map_err(|_| Stop::Corrupt)?;
                let after = (inflate.total_in(), inflate.total_out());
                Ok(step(before, after, status == flate2::Status::StreamEnd))
            }
            Self::Zstd(decoder) => {
                let status = decoder
                    .run_on_buffers(input, output)
                    .map_err(|error| zstd_stop(&error))?;
                Ok(Step {
                    used: status.bytes_read,
                    written: status.bytes_written,
                    // Before a frame it wants its header: never nothing.
                    end: status.remaining == 0,
                })
            }
            Self::Xz(stream) => {
                use liblzma::stream::{Action, Error, Status};
                let before = (stream.total_in(), stream.total_out());
                let status =
                    stream
                        .process(input, output, Action::Run)
                        .map_err(|error| match error {
                            Error::MemLimit | Error::Mem => Stop::Window,
                            Error::Options | Error::UnsupportedCheck => Stop::Unsupported,
                            _ => Stop::Corrupt,
                        })?;
                let after = (stream.total_in(), stream.total_out());
                Ok(step(before, after, status == Status::StreamEnd))
            }
            Self::Bzip2(decoder) => {
                let before = (decoder.total_in(), decoder.total_out());
                let status = decoder
                    .decompress(input, output)
                    .map_err(|_| Stop::Corrupt)?;
                let after = (decoder.total_in(), decoder.total_out());
                Ok(step(before, after, status == bzip2::Status::StreamEnd))
            }
        }
    }
}

/// A step by the totals before and after it; none is longer than its buffers.
fn step(before: (u64, u64), after: (u64, u64), end: bool) -> Step {
    let change = |before: u64, after: u64| usize::try_from(after.wrapping_sub(before));
    Step {
        used: change(before.0, after.0).unwrap_or(0),
        written: change(before.1, after.1).unwrap_or(0),
        end,
    }
}

/// The reason of an error, which comes as the sentence of its code.
fn zstd_stop(error: &io::Error) -> Stop {
    use zstd_safe::zstd_sys::ZSTD_ErrorCode as Code;
    let text = error.to_string();
    let is = |code: Code| {
        let code = 0_usize.wrapping_sub(code as usize);
        text == zstd_safe::get_error_name(code)
    };
    if is(Code::ZSTD_error_frameParameter_windowTooLarge) {
        Stop::Window
    } else if is(Code::ZSTD_error_checksum_wrong) {
        Stop::Checksum
    } else if is(Code::ZSTD_error_dictionary_wrong) {
        Stop::Unsupported
    } else {
        Stop::Corrupt
    }
}

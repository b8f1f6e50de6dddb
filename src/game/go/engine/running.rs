//! Every engine process of this program, so that none outlives it.

use std::{
    io,
    process::{Child, Command},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Ids of the processes that run; none once no more may be started.
static RUNNING: Mutex<Option<Vec<u32>>> = Mutex::new(Some(Vec::new()));

fn running() -> MutexGuard<'static, Option<Vec<u32>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process, in a group of its own where there are such.
///
/// # Errors
/// Where it cannot be started, or this program is about to end.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    // So that what it starts can be ended with it, and an interrupt, after
    // which rows are still finished, does not reach it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // Held over both, so that no process is started that nobody ends.
    let mut running = running();
    let running = running.as_mut().ok_or(io::ErrorKind::Interrupted)?;
    let child = command.spawn()?;
    running.push(child.id());
    Ok(child)
}

/// Ends a process and what it has started.
pub(super) fn end(child: &mut Child) {
    // Not yet waited for, so that its number is still its own.
    kill_group(child.id());
    // This and the wait fail only where it has ended.
    let _ = child.kill();
    if let Some(running) = running().as_mut() {
        running.retain(|id| *id != child.id());
    }
    let _ = child.wait();
}

/// Ends every engine that runs, without a farewell; none can be started any
/// more. For a process that is about to end.
pub fn end_engines() {
    // Held over the loop, so that none is waited for before it was killed.
    let mut running = running();
    for id in running.take().unwrap_or_default() {
        kill_group(id);
    }
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

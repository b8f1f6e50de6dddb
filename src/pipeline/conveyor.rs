//! The conveyor that carries jobs to workers and batches back.

use std::{collections::HashMap, sync::mpsc};

use rayon::Scope;

use super::worker::{Batch, Crew, Job};

/// Carries jobs to workers; batches are waited for one by one.
pub(super) struct Conveyor<'a, 'scope, 'plan> {
    crew: &'scope Crew<'plan>,
    scope: Option<&'a Scope<'scope>>,
    next: u64,
    done: HashMap<u64, Batch>,
    sender: mpsc::Sender<(u64, Batch)>,
    receiver: mpsc::Receiver<(u64, Batch)>,
}

impl<'a, 'scope, 'plan> Conveyor<'a, 'scope, 'plan> {
    /// A conveyor to the threads of a scope, or to this thread without one.
    pub(super) fn new(crew: &'scope Crew<'plan>, scope: Option<&'a Scope<'scope>>) -> Self {
        let (sender, receiver) = mpsc::channel();
        Self {
            crew,
            scope,
            next: 0,
            done: HashMap::new(),
            sender,
            receiver,
        }
    }

    /// How many jobs may be under way.
    pub(super) fn room(&self) -> usize {
        if self.scope.is_some() {
            4 * self.crew.plan.jobs
        } else {
            1
        }
    }

    /// Hands a job over; its number is for [`Conveyor::wait`].
    pub(super) fn submit(&mut self, job: Job) -> u64 {
        let number = self.next;
        self.next += 1;
        let crew = self.crew;
        match self.scope {
            None => {
                self.done.insert(number, crew.work(job));
            }
            Some(scope) => {
                let sender = self.sender.clone();
                scope.spawn(move |_| {
                    let batch = crew.work(job);
                    // Nobody waits any more after an error: nothing is lost.
                    let _ = sender.send((number, batch));
                });
            }
        }
        number
    }

    /// Waits for the batch of a job.
    pub(super) fn wait(&mut self, number: u64) -> Batch {
        loop {
            if let Some(batch) = self.done.remove(&number) {
                return batch;
            }
            // A sender lives in this conveyor, so the channel stays open.
            if let Ok((number, batch)) = self.receiver.recv() {
                self.done.insert(number, batch);
            }
        }
    }
}

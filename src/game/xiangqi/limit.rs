//! stub
use super::repetition::History;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// a
pub struct Limit(u32);
impl Limit {
    pub(super) const AXF: Self = Self(100);
    pub(super) const NEVER: Self = Self(0);
    pub(super) const fn plies(p: u32) -> Self {
        Self(p)
    }
    pub(super) fn is_reached(&self, _: &History) -> bool {
        false
    }
    pub(super) fn most_plies(&self) -> u32 {
        self.0
    }
}

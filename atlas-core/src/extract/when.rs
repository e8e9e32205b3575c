//! stub
use crate::model::{Span, Timestamp};
pub struct TimeExpression {
    pub span: Span,
    pub start: Timestamp,
    pub end: Timestamp,
}
pub fn find(_text: &str, _anchor: Timestamp, _offset: i32) -> Vec<TimeExpression> {
    Vec::new()
}

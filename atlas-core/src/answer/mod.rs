//! Evidence to cited answers.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerSettings {}

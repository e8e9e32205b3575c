//! Whole requests, compared with the files that were agreed on.

use expect_test::ExpectFile;

use crate::llm::{Task, TaskInput, reply, schema};

/// Compares the request of a task's own example with the file.
///
/// A prompt that changes has what it made before made again: when that is meant, renew the file
/// with `UPDATE_EXPECT=1 cargo test -p atlas-core --lib llm::tasks`.
#[track_caller]
pub(super) fn check<T: Task + TryFrom<TaskInput, Error = TaskInput>>(file: &ExpectFile) {
    let input: TaskInput = serde_json::from_str(T::EXAMPLE.input).unwrap();
    assert_eq!(input.role(), T::ROLE);
    let task = T::try_from(input).unwrap();
    let request = task.request().unwrap();
    assert_eq!(schema::faults(&request.schema), [""; 0]);
    let reply: serde_json::Value = serde_json::from_str(T::EXAMPLE.reply).unwrap();
    assert!(
        schema::conforms(&reply, &request.schema),
        "the example's reply does not keep to the schema"
    );
    let read = reply::read_partial::<T::Output>(T::EXAMPLE.reply).unwrap();
    assert_eq!((read.is_cut, read.n_unreadable), (false, 0));
    file.assert_eq(&format!(
        "role: {}\nfingerprint: {}\n\n=== system ===\n{}\n\n=== user ===\n{}\n\n=== schema ===\n{:#}\n",
        request.role.as_str(),
        T::wording().fingerprint(),
        request.prompt.system,
        request.prompt.user,
        request.schema,
    ));
}

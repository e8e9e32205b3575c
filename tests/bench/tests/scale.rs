//! The whole program on a few hundred facts.

use std::process::Command;

#[test]
fn a_small_run_prints_every_table_and_aim() {
    let output = Command::new(env!("CARGO_BIN_EXE_atlas-bench"))
        .args(["scale", "--facts", "200,300", "--channels", "2"])
        .args(["--searches", "5", "--batch", "50", "--durability", "normal"])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    for store in ["sqlite", "memory"] {
        for shape in ["1 × 200", "1 × 300", "2 × 200", "20 × 2"] {
            let row = format!("| {store} ");
            let n_rows = told
                .lines()
                .filter(|line| line.starts_with(&row) && line.contains(&format!("| {shape} ")));
            assert_eq!(n_rows.count(), 4, "{store} {shape} in {told}");
            let aim = format!(" {store} {shape}: bulk write beside the raw floor: ");
            assert!(told.contains(&aim), "{aim} is not in {told}");
        }
        let aim = format!(" {store} 2 × 200: hybrid p95 beside the channel alone: ");
        assert!(told.contains(&aim), "{aim} is not in {told}");
    }
    // Every exact search finds the nearest, and the noughts of what was not measured do not show.
    assert!(told.contains(" 1.000 "), "{told}");
}

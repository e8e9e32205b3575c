//! Paths inside an export.

/// Why a path of an archive is not used: it would lead out of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnsafePath;

/// Splits the path of an archive's entry into its parts; `\` separates as `/` does.
///
/// Absolute paths, drive letters, `..` and NUL are refused.
pub(crate) fn parts(path: &str) -> Result<Vec<String>, UnsafePath> {
    let is_separator = |c: char| c == '/' || c == '\\';
    if path.starts_with(is_separator) || path.contains('\0') || has_drive_letter(path) {
        return Err(UnsafePath);
    }
    let parts: Vec<String> = path
        .split(is_separator)
        .filter(|part| !part.is_empty() && *part != ".")
        .map(str::to_owned)
        .collect();
    if parts.is_empty() || parts.iter().any(|part| part == "..") {
        return Err(UnsafePath);
    }
    Ok(parts)
}

fn has_drive_letter(path: &str) -> bool {
    let mut chars = path.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_stay_inside_have_parts() {
        let rows = [
            ("general/2024-01-02.json", Some("general|2024-01-02.json")),
            ("general\\2024-01-02.json", Some("general|2024-01-02.json")),
            ("./a//b", Some("a|b")),
            ("FC:F01:plan/x.json", Some("FC:F01:plan|x.json")),
            ("../../etc/passwd", None),
            ("a/../b", None),
            ("a\\..\\..\\b", None),
            ("/etc/passwd", None),
            ("\\\\server\\share", None),
            ("C:\\windows", None),
            ("c:x", None),
            ("a\0b", None),
            ("", None),
        ];
        for (path, expected) in rows {
            let found = parts(path).ok().map(|parts| parts.join("|"));
            assert_eq!(found.as_deref(), expected, "{path:?}");
        }
    }
}

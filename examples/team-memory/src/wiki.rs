//! Pages to files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use atlas_core::Atlas;

use crate::failure::Failure;
use crate::load::Loaded;

/// Lists the files that this program wrote into the folder, one a line. No other is touched.
const MARKER: &str = ".team-memory-wiki";

/// The first page of the whole wiki.
const INDEX: &str = "README.md";

/// A file of the wiki.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Its path from the wiki's folder, parts joined by `/`.
    pub(crate) path: String,
    /// What stands in it.
    pub(crate) markdown: String,
}

/// All files of the wiki, with how many they tell of.
#[derive(Debug)]
pub(crate) struct Files {
    files: Vec<File>,
    written: Written,
}

/// How much was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Pages, the index not among them.
    pub(crate) pages: usize,
    /// Channels that have pages.
    pub(crate) channels: usize,
}

/// Renders the pages of all channels, a folder a channel, and an index that leads to them.
///
/// # Errors
///
/// What the stores fail with.
pub(crate) async fn files(atlas: &Atlas, loaded: &Loaded) -> Result<Files, Failure> {
    let mut files = Vec::new();
    let mut written = Written::default();
    let mut folders = BTreeSet::new();
    let mut lines = vec!["# Channels".to_owned(), String::new()];
    for it in &loaded.channels {
        let name = &it.channel.name;
        if it.holds.n_pages == 0 {
            lines.push(format!("- {}: too little to tell", escaped(name)));
            continue;
        }
        let folder = folder_of(name, &mut folders);
        let pages = atlas.channel(it.channel.id.clone()).export(name).await?;
        let target = format!("{folder}/{INDEX}");
        lines.push(format!(
            "- [{}]({target}): {} pages",
            escaped(name),
            pages.len()
        ));
        written.channels += 1;
        written.pages += pages.len();
        files.extend(pages.into_iter().map(|page| File {
            path: format!("{folder}/{}", page.path),
            markdown: page.markdown,
        }));
    }
    files.push(File {
        path: INDEX.to_owned(),
        markdown: lines.join("\n") + "\n",
    });
    Ok(Files { files, written })
}

/// A folder's name for a channel: safe in a path and in a link, and each once.
fn folder_of(name: &str, taken: &mut BTreeSet<String>) -> String {
    let safe: String = name
        .chars()
        .map(|c| match c {
            '-' | '_' => c,
            _ if c.is_alphanumeric() => c,
            _ => '-',
        })
        .collect();
    let safe = if safe.is_empty() { "channel" } else { &safe };
    // Some systems do not tell names apart that differ in case only.
    let is_free = |taken: &BTreeSet<String>, name: &str| !taken.contains(&name.to_lowercase());
    let mut folder = safe.to_owned();
    let mut nth = 1;
    while !is_free(taken, &folder) {
        nth += 1;
        folder = format!("{safe}-{nth}");
    }
    taken.insert(folder.to_lowercase());
    folder
}

/// A name as Markdown that shows it and does nothing else.
fn escaped(name: &str) -> String {
    let mut markdown = String::new();
    for c in crate::print::one_line(name).chars() {
        match c {
            '<' => markdown.push_str("&lt;"),
            '&' => markdown.push_str("&#38;"),
            '\\' | '`' | '*' | '[' | ']' | '|' => markdown.extend(['\\', c]),
            _ => markdown.push(c),
        }
    }
    markdown
}

/// A folder that a wiki may be written to: fresh, or one that an earlier run wrote.
#[derive(Debug)]
pub(crate) struct WikiFolder {
    root: PathBuf,
    own: BTreeSet<String>,
}

impl WikiFolder {
    /// Looks whether the folder may be written to; changes nothing.
    ///
    /// # Errors
    ///
    /// [`Failure::Foreign`] if it holds files and no marker, or is no folder.
    pub(crate) fn claim(root: &Path) -> Result<Self, Failure> {
        let foreign = |why| Failure::Foreign {
            path: root.to_owned(),
            why,
        };
        let mut own = BTreeSet::new();
        match fs::read_dir(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(foreign("not a folder; choose another one with --out"));
            }
            Err(cause) => return Err(failed(root)(cause)),
            Ok(mut entries) => match fs::read_to_string(root.join(MARKER)) {
                Ok(listed) => {
                    own = listed
                        .lines()
                        .filter(|it| is_inside(it))
                        .map(str::to_owned)
                        .collect();
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if entries.next().is_some() {
                        return Err(foreign(
                            "the folder holds files that this program did not write; \
                             choose another one with --out",
                        ));
                    }
                }
                Err(cause) => return Err(failed(&root.join(MARKER))(cause)),
            },
        }
        Ok(Self {
            root: root.to_owned(),
            own,
        })
    }

    /// Writes the files, and removes those of an earlier run that are not among them.
    ///
    /// # Errors
    ///
    /// [`Failure::Foreign`], before anything is written, if a file stands in the way that this
    /// program did not write; [`Failure::File`] if one cannot be written.
    pub(crate) fn write(&self, files: &Files) -> Result<Written, Failure> {
        let paths: BTreeSet<String> = files.files.iter().map(|it| it.path.clone()).collect();
        for path in paths.difference(&self.own) {
            let path = self.root.join(path);
            if path.exists() {
                return Err(Failure::Foreign {
                    path,
                    why: "this program did not write it, so it stays; choose another folder with --out",
                });
            }
        }
        fs::create_dir_all(&self.root).map_err(failed(&self.root))?;
        // What is listed and not there does no harm; the other way round it could not be removed.
        self.mark(&paths.union(&self.own).cloned().collect())?;
        for file in &files.files {
            let path = self.root.join(&file.path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(failed(folder))?;
            }
            fs::write(&path, &file.markdown).map_err(failed(&path))?;
        }
        for gone in self.own.difference(&paths) {
            let path = self.root.join(gone);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed(&path)(error));
                }
                Ok(()) | Err(_) => {}
            }
            if let Some(folder) = path.parent().filter(|it| *it != self.root) {
                // Only an empty folder goes; one with other files stays.
                let _stays = fs::remove_dir(folder);
            }
        }
        self.mark(&paths)?;
        Ok(files.written)
    }

    fn mark(&self, paths: &BTreeSet<String>) -> Result<(), Failure> {
        let marker = self.root.join(MARKER);
        let listed: Vec<&str> = paths.iter().map(String::as_str).collect();
        fs::write(&marker, listed.join("\n") + "\n").map_err(failed(&marker))
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.to_owned();
    move |cause| Failure::File { path, cause }
}

/// Whether a path of the marker stays within the folder, whatever somebody wrote there.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> Files {
        let files = paths.iter().map(|path| File {
            path: (*path).to_owned(),
            markdown: format!("# {path}\n"),
        });
        Files {
            files: files.collect(),
            written: Written::default(),
        }
    }

    fn list(root: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(root).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                found.extend(list(&path).iter().map(|it| format!("{name}/{it}")));
            } else if name != MARKER {
                found.push(name);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_second_run_replaces_its_own_files_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("wiki");
        let write = |paths: &[&str]| WikiFolder::claim(&root).unwrap().write(&files(paths));
        write(&["README.md", "a/old.md", "b/x.md"]).unwrap();
        fs::write(root.join("a/mine.txt"), "mine").unwrap();
        write(&["README.md", "a/new.md"]).unwrap();
        assert_eq!(list(&root), ["README.md", "a/mine.txt", "a/new.md"]);
        assert!(!root.join("b").exists());
    }

    #[test]
    fn a_file_in_the_way_stays_and_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let folder = WikiFolder::claim(dir.path()).unwrap();
        folder.write(&files(&["README.md"])).unwrap();
        fs::write(dir.path().join("a.md"), "mine").unwrap();
        let folder = WikiFolder::claim(dir.path()).unwrap();
        let failure = folder.write(&files(&["a.md", "b.md"])).unwrap_err();
        assert!(matches!(failure, Failure::Foreign { .. }), "{failure}");
        assert_eq!(fs::read_to_string(dir.path().join("a.md")).unwrap(), "mine");
        assert_eq!(list(dir.path()), ["README.md", "a.md"]);
    }

    #[test]
    fn a_folder_of_others_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.md"), "").unwrap();
        for root in [dir.path().to_owned(), dir.path().join("thesis.md")] {
            let failure = WikiFolder::claim(&root).unwrap_err();
            assert!(matches!(failure, Failure::Foreign { .. }), "{failure}");
        }
    }

    #[test]
    fn a_marker_cannot_lead_out_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("wiki");
        fs::create_dir(&root).unwrap();
        let victim = dir.path().join("victim.md");
        fs::write(&victim, "").unwrap();
        let listed = format!("../victim.md\n{}\n\na/../../victim.md\n", victim.display());
        fs::write(root.join(MARKER), listed).unwrap();
        let folder = WikiFolder::claim(&root).unwrap();
        folder.write(&files(&["README.md"])).unwrap();
        assert!(victim.exists());
    }

    #[test]
    fn channels_get_folders_of_their_own() {
        let mut taken = BTreeSet::new();
        let folders: Vec<String> = ["meetup", "meetup-", "../Etc", "数据", "MEETUP", ""]
            .iter()
            .map(|name| folder_of(name, &mut taken))
            .collect();
        assert_eq!(
            folders,
            ["meetup", "meetup-", "---Etc", "数据", "MEETUP-2", "channel"]
        );
    }
}

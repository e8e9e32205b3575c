//! Small values with a checksum before them, as text.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a value as JSON behind its checksum.
///
/// The seal keeps its shape for ever, so that a later format is told from a damaged one.
pub(crate) fn seal(value: &impl Serialize) -> serde_json::Result<String> {
    let body = serde_json::to_string(value)?;
    Ok(format!("{:08x}\n{body}", crc32fast::hash(body.as_bytes())))
}

/// The value, if the checksum is right and it is one of this type.
pub(crate) fn unseal<T: DeserializeOwned>(text: &str) -> Option<T> {
    let (sum, body) = text.split_once('\n')?;
    let is_right = u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(body.as_bytes());
    is_right.then(|| serde_json::from_str(body).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_and_a_flipped_bit_is_seen() {
        let sealed = seal(&vec!["a", "ß"]).unwrap();
        assert_eq!(
            unseal::<Vec<String>>(&sealed),
            Some(vec!["a".to_owned(), "ß".to_owned()])
        );
        for at in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] ^= 1;
            // The case of a hexadecimal digit is no difference.
            let seen = String::from_utf8(bytes)
                .ok()
                .and_then(|it| unseal::<Vec<String>>(&it));
            assert_eq!(seen, None, "{at}");
        }
    }
}

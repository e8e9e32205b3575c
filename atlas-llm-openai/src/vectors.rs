//! What came back to vectors, checked.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::{Failure, Refusal, Tried};

#[derive(Deserialize)]
struct Reply {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    index: Option<usize>,
    embedding: Numbers,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    /// A number that JSON cannot write is null.
    Floats(Vec<Option<f32>>),
    /// Little-endian, in base64.
    Encoded(String),
}

impl Numbers {
    fn into_vector(self) -> Tried<Vec<f32>> {
        match self {
            Self::Floats(floats) => {
                let floats = floats.into_iter().map(|it| it.unwrap_or(f32::NAN));
                Ok(floats.collect())
            }
            Self::Encoded(text) => {
                let garbage = |why: String| Failure::Garbage(why);
                let bytes = STANDARD
                    .decode(text)
                    .map_err(|why| garbage(why.to_string()))?;
                let (numbers, rest) = bytes.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(garbage("a vector ends within a number".to_owned()));
                }
                Ok(numbers.iter().map(|it| f32::from_le_bytes(*it)).collect())
            }
        }
    }
}

/// The vectors of `n_texts` texts, in their order: each finite, and as wide as the others and as
/// `width`, if that is known.
pub(crate) fn read(body: &[u8], n_texts: usize, width: Option<usize>) -> Tried<Vec<Vec<f32>>> {
    let garbage = |cause: serde_json::Error| Failure::Garbage(cause.to_string());
    let value: Value = serde_json::from_slice(body).map_err(garbage)?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Failure::Refused(Refusal::of_event(&value)));
    }
    let reply: Reply = serde_json::from_value(value).map_err(garbage)?;
    let found = reply.data.len();
    let wrong_count = Failure::WrongCount {
        expected: n_texts,
        found,
    };
    if found != n_texts {
        return Err(wrong_count);
    }
    let mut slots: Vec<Option<Vec<f32>>> = vec![None; n_texts];
    for (place, item) in reply.data.into_iter().enumerate() {
        // Endpoints may answer in any order; what has no number stands in order.
        match slots.get_mut(item.index.unwrap_or(place)) {
            Some(slot @ None) => *slot = Some(item.embedding.into_vector()?),
            _ => return Err(wrong_count),
        }
    }
    let vectors: Vec<Vec<f32>> = slots.into_iter().flatten().collect();
    let expected = width.or_else(|| vectors.first().map(Vec::len));
    for (place, vector) in vectors.iter().enumerate() {
        if let Some(expected) = expected.filter(|expected| *expected != vector.len()) {
            return Err(Failure::WrongWidth {
                expected,
                found: vector.len(),
            });
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(Failure::NotFinite(place));
        }
    }
    Ok(vectors)
}

/// The vector at length one; all zero if it has no length.
pub(crate) fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    // In double precision: the squares of large numbers do not overflow.
    let squares = vector.iter().map(|it| f64::from(*it).powi(2));
    let length = squares.sum::<f64>().sqrt();
    if length > 0.0 {
        for number in &mut vector {
            #[expect(clippy::cast_possible_truncation, reason = "at most one")]
            let part = (f64::from(*number) / length) as f32;
            *number = part;
        }
    }
    vector
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(index: usize, embedding: &Value) -> Value {
        json!({"object": "embedding", "index": index, "embedding": embedding})
    }

    fn vectors(data: &[Value], n_texts: usize, width: Option<usize>) -> Tried<Vec<Vec<f32>>> {
        let body = json!({"object": "list", "data": data, "usage": {"prompt_tokens": 3}});
        read(body.to_string().as_bytes(), n_texts, width)
    }

    #[test]
    fn vectors_come_in_the_order_of_their_texts() {
        let expected = vec![vec![1.0, 2.0], vec![0.5, -1.0]];
        let [first, second] = [json!([1, 2]), json!([0.5, -1.0])];
        let turned = [item(1, &second), item(0, &first)];
        assert_eq!(vectors(&turned, 2, Some(2)).unwrap(), expected);
        let unnumbered = [json!({"embedding": first}), json!({"embedding": second})];
        assert_eq!(vectors(&unnumbered, 2, None).unwrap(), expected);
        let bytes: Vec<u8> = [0.5_f32, -1.0]
            .into_iter()
            .flat_map(f32::to_le_bytes)
            .collect();
        let encoded = [item(0, &first), item(1, &json!(STANDARD.encode(&bytes)))];
        assert_eq!(vectors(&encoded, 2, Some(2)).unwrap(), expected);
    }

    #[test]
    fn what_does_not_fit_is_a_failure() {
        let one = json!([1, 2]);
        let failure = |data: &[Value]| vectors(data, 2, Some(2)).unwrap_err();
        let counts = |failure| matches!(failure, Failure::WrongCount { expected: 2, .. });
        assert!(counts(failure(&[])));
        assert!(counts(failure(&[item(0, &one)])));
        assert!(counts(failure(&[item(0, &one), item(0, &one)])));
        assert!(counts(failure(&[item(0, &one), item(2, &one)])));
        let of = |second: Value| failure(&[item(0, &one), item(1, &second)]);
        let width = |found| move |failure| matches!(failure, Failure::WrongWidth { expected: 2, found: it } if it == found);
        assert!(width(3)(of(json!([1, 2, 3]))));
        assert!(width(0)(of(json!([]))));
        assert!(matches!(of(json!([1, null])), Failure::NotFinite(1)));
        assert!(matches!(of(json!([1e300, 1])), Failure::NotFinite(1)));
        let nan: Vec<u8> = [f32::NAN, 1.0]
            .into_iter()
            .flat_map(f32::to_le_bytes)
            .collect();
        assert!(matches!(
            of(json!(STANDARD.encode(&nan))),
            Failure::NotFinite(1)
        ));
        assert!(matches!(of(json!("AAA=")), Failure::Garbage(_)));
        assert!(matches!(of(json!("!")), Failure::Garbage(_)));
        assert!(matches!(read(b"<html>", 1, None), Err(Failure::Garbage(_))));
        assert!(matches!(read(b"{}", 1, None), Err(Failure::Garbage(_))));
        let error = json!({"error": {"message": "m", "code": 503}}).to_string();
        assert!(matches!(
            read(error.as_bytes(), 1, None),
            Err(Failure::Refused(_))
        ));
    }

    #[test]
    fn lengths_are_one_or_nought() {
        for vector in [vec![3.0, 4.0], vec![1e30, 1e30], vec![-1e-30, 0.0]] {
            let normal = normalised(vector);
            let length: f32 = normal.iter().map(|it| it * it).sum();
            assert!((length - 1.0).abs() < 1e-5, "{normal:?}");
        }
        assert_eq!(normalised(vec![0.0, 0.0]), vec![0.0, 0.0]);
        assert_eq!(normalised(Vec::new()), Vec::<f32>::new());
    }
}

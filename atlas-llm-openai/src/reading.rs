//! An answer as a stream of events.

use std::collections::VecDeque;

use atlas_core::ports::CompletionEvent;
use bytes::Bytes;
use futures::stream::{self, BoxStream, Stream, StreamExt};
use reqwest::Response;
use sse_stream::{Sse, SseByteStream};

use crate::chunk::{Fold, Step};
use crate::failure::{Failure, Tried};
use crate::transport::{is_of_type, whole};

/// The bytes of a stream are many times those of its text: each token is an event of its own.
const BYTES_PER_BYTE: usize = 16;

/// Reads an answer whose text has at most `most` bytes.
pub(crate) async fn events(
    response: Response,
    fold: Fold,
    most: usize,
) -> Tried<BoxStream<'static, Tried<CompletionEvent>>> {
    if is_of_type(&response, "text/html") {
        return Err(Failure::Page);
    }
    // Some endpoints answer as a whole, whatever is asked.
    if is_of_type(&response, "application/json") {
        let body = whole(response, most).await?;
        let mut ready = VecDeque::new();
        push_whole(fold, &body, &mut ready)?;
        return Ok(stream::iter(ready.into_iter().map(Ok)).boxed());
    }
    let most_raw = most.saturating_mul(BYTES_PER_BYTE);
    Ok(of_parts(parts(response, most_raw), fold, most).boxed())
}

/// The body as it comes in, at most so many bytes of it.
fn parts(response: Response, most: usize) -> impl Stream<Item = Tried<Bytes>> + Send {
    stream::try_unfold((response, most), move |(mut response, left)| async move {
        let Some(part) = response.chunk().await? else {
            return Ok(None);
        };
        let left = left.checked_sub(part.len()).ok_or(Failure::TooLong(most))?;
        Ok(Some((part, (response, left))))
    })
}

/// What is at work while a streamed reply is read.
struct Reading<S> {
    parts: S,
    fold: Option<Fold>,
    ready: VecDeque<CompletionEvent>,
    n_told: usize,
    most: usize,
}

/// The events of a reply whose bytes come in parts.
fn of_parts(
    parts: impl Stream<Item = Tried<Bytes>> + Send + 'static,
    fold: Fold,
    most: usize,
) -> impl Stream<Item = Tried<CompletionEvent>> + Send {
    // An event that is not closed before the body ends is an event all the same, if it is whole.
    let close = stream::once(async { Ok(Bytes::from_static(b"\n\n")) });
    let reading = Reading {
        parts: SseByteStream::new(parts.chain(close).boxed()),
        fold: Some(fold),
        ready: VecDeque::new(),
        n_told: 0,
        most,
    };
    stream::try_unfold(reading, |mut reading| async move {
        loop {
            if let Some(event) = reading.ready.pop_front() {
                return Ok(Some((event, reading)));
            }
            let Some(fold) = reading.fold.take() else {
                return Ok(None);
            };
            let next = reading.parts.next().await;
            reading.take(next, fold)?;
        }
    })
}

impl<S> Reading<S> {
    /// Takes the next event of the stream, or its end.
    fn take(&mut self, next: Option<Result<Sse, sse_stream::Error>>, mut fold: Fold) -> Tried<()> {
        let is_whole = fold.is_whole();
        let step = match next {
            None => Ok(Step::Done),
            Some(Ok(event)) => fold.push(event.data.as_deref().unwrap_or_default()),
            Some(Err(error)) => Err(broken(error)),
        };
        let is_over = match step {
            Ok(Step::Done) => true,
            // What breaks after the end of the reply takes nothing of it.
            Err(_) if is_whole => true,
            Err(failure) => return Err(failure),
            Ok(Step::Text(text)) => {
                self.tell(text)?;
                false
            }
        };
        if is_over {
            end(fold, &mut self.ready)
        } else {
            self.fold = Some(fold);
            Ok(())
        }
    }

    fn tell(&mut self, text: String) -> Tried<()> {
        self.n_told += text.len();
        if self.n_told > self.most {
            return Err(Failure::TooLong(self.most));
        }
        push_text(text, &mut self.ready);
        Ok(())
    }
}

fn push_whole(mut fold: Fold, body: &[u8], ready: &mut VecDeque<CompletionEvent>) -> Tried<()> {
    if let Step::Text(text) = fold.push_whole(body)? {
        push_text(text, ready);
    }
    end(fold, ready)
}

fn end(fold: Fold, ready: &mut VecDeque<CompletionEvent>) -> Tried<()> {
    let end = fold.end()?;
    push_text(end.text, ready);
    ready.push_back(CompletionEvent::Finished {
        finish: end.finish,
        usage: end.usage,
    });
    Ok(())
}

fn push_text(text: String, ready: &mut VecDeque<CompletionEvent>) {
    if !text.is_empty() {
        ready.push_back(CompletionEvent::Text(text));
    }
}

/// What broke a stream of events: mostly what broke its bytes.
fn broken(error: sse_stream::Error) -> Failure {
    let sse_stream::Error::Body(cause) = error else {
        return Failure::Garbage(error.to_string());
    };
    match cause.downcast::<Failure>() {
        Ok(failure) => *failure,
        Err(cause) => Failure::Broken(cause.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use atlas_core::ports::{FinishReason, Usage};
    use futures::TryStreamExt;
    use futures::executor::block_on;
    use proptest::prelude::*;

    use super::*;

    /// A stream as it stands on the wire: a keep-alive, ends of lines of both sorts, a first chunk
    /// without content, letters of many bytes, thoughts, an end, the usage.
    const WIRE: &str = concat!(
        ": waiting\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\r\n\r\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<think>é\"}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"</think>{\\\"a\\\": \"}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\\"東京 👍\\\"}\"}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":5}}\n\n",
        "data: [DONE]\n\n",
    );
    const TEXT: &str = "{\"a\": \"東京 👍\"}";
    const USAGE: Usage = Usage {
        input_tokens: 9,
        output_tokens: 5,
    };

    type Read = (String, FinishReason, Option<Usage>);

    /// What is read of bytes that come in these parts, and then end or break.
    fn read(parts: &[&[u8]], breaks: bool) -> Tried<Read> {
        let parts: Vec<Tried<Bytes>> = parts
            .iter()
            .map(|part| Ok(Bytes::copy_from_slice(part)))
            .chain(breaks.then(|| Err(Failure::Broken("reset".to_owned()))))
            .collect();
        let events = of_parts(stream::iter(parts), Fold::default(), 1_000);
        let mut events: Vec<CompletionEvent> = block_on(events.try_collect())?;
        let Some(CompletionEvent::Finished { finish, usage }) = events.pop() else {
            return Err(Failure::Ended("no end, or something after it".to_owned()));
        };
        let texts = events.into_iter().filter_map(|event| match event {
            CompletionEvent::Text(text) => Some(text),
            CompletionEvent::Finished { .. } => None,
        });
        Ok((texts.collect(), finish, usage))
    }

    fn whole() -> Read {
        (TEXT.to_owned(), FinishReason::Stop, Some(USAGE))
    }

    #[test]
    #[expect(clippy::print_stdout, reason = "says what it has tried")]
    fn a_stream_that_is_cut_anywhere_is_whole_or_a_failure() {
        let (mut n_whole, mut n_without_usage, mut n_failed) = (0, 0, 0);
        for length in 0..WIRE.len() {
            for breaks in [false, true] {
                match read(&[&WIRE.as_bytes()[..length]], breaks) {
                    Ok(read) if read == whole() => n_whole += 1,
                    Ok((text, finish, None)) => {
                        assert_eq!((text.as_str(), finish), (TEXT, FinishReason::Stop));
                        n_without_usage += 1;
                    }
                    Ok(read) => panic!("cut at {length}: {read:?}"),
                    Err(Failure::Cut | Failure::Broken(_) | Failure::Garbage(_)) => n_failed += 1,
                    Err(failure) => panic!("cut at {length}: {failure:?}"),
                }
            }
        }
        println!("whole {n_whole}, without usage {n_without_usage}, failed {n_failed}");
        assert!(n_whole > 10 && n_without_usage > 100 && n_failed > 500);
    }

    #[test]
    fn a_reply_that_is_too_long_is_not_read_to_its_end() {
        let event = format!(
            "data: {}\n\n",
            serde_json::json!({"choices": [{"delta": {"content": "x".repeat(90)}}]})
        );
        let parts: Vec<&[u8]> = std::iter::repeat_n(event.as_bytes(), 20).collect();
        assert!(matches!(read(&parts, false), Err(Failure::TooLong(_))));
    }

    proptest! {
        #[test]
        fn the_parts_of_a_stream_do_not_matter(
            cuts in proptest::collection::vec(0..WIRE.len(), 0..40),
        ) {
            let mut cuts = cuts;
            cuts.extend([0, WIRE.len()]);
            cuts.sort_unstable();
            let parts: Vec<&[u8]> =
                cuts.windows(2).map(|pair| &WIRE.as_bytes()[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&parts, false).unwrap(), whole());
        }

        #[test]
        fn nonsense_is_never_a_panic(
            places in proptest::collection::vec((0..WIRE.len(), any::<u8>()), 1..12),
        ) {
            let mut wire = WIRE.as_bytes().to_vec();
            for (place, byte) in places {
                wire[place] = byte;
            }
            // What is still a reply has an end; everything else is a failure.
            drop(read(&[&wire], false));
        }
    }
}

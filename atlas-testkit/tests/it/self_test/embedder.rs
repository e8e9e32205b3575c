//! Broken adapters of [`Embedder`].

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use atlas_core::ports::{Embedder, EmbedderExt, EmbeddingSpace, Purpose};
use atlas_core::{Error, ErrorKind, Result, async_trait};
use atlas_testkit::double::HashEmbedder;

/// What is wrong with the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    /// All but the first vector come in the order of the texts' letters.
    SortsTexts,
    /// A text with a control character has a number too many.
    GrowsWide,
    /// A text with a control character has no numbers.
    SaysNotANumber,
    /// Vectors have length two.
    DoublesLength,
    /// A vector depends on how many there are.
    DependsOnBatch,
    /// Any number of texts is taken.
    TakesAny,
    /// No texts are an error.
    RefusesNone,
    /// The revision counts the calls.
    CountsCalls,
    /// A call that is dropped never ends.
    StaysBusy,
    /// What is to find lives elsewhere.
    TurnsQueries,
    /// It says that it does not normalise, and does not: no defect.
    HonestlyLong,
}

/// An adapter with a defect.
struct Broken {
    inner: HashEmbedder,
    defect: Defect,
    is_busy: AtomicBool,
    n_calls: AtomicU64,
}

impl Broken {
    fn of(defect: Defect) -> Self {
        Self {
            inner: HashEmbedder::new(64),
            defect,
            is_busy: AtomicBool::default(),
            n_calls: AtomicU64::default(),
        }
    }
}

#[async_trait]
impl Embedder for Broken {
    fn space(&self) -> EmbeddingSpace {
        let mut space = self.inner.space();
        match self.defect {
            Defect::CountsCalls => {
                space.revision = self.n_calls.load(Ordering::Relaxed).to_string();
            }
            Defect::HonestlyLong => space.is_normalised = false,
            _ => {}
        }
        space
    }

    fn max_batch(&self) -> usize {
        self.inner.max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let refuse = |kind| Err(Error::new(kind, "embed", "as the defect says"));
        self.n_calls.fetch_add(1, Ordering::Relaxed);
        let mut texts = texts.to_vec();
        match self.defect {
            Defect::TakesAny => return self.inner.embed_all(&texts, purpose).await,
            Defect::RefusesNone if texts.is_empty() => return refuse(ErrorKind::Invalid),
            Defect::SortsTexts if texts.iter().all(|it| it.contains(char::is_alphabetic)) => {
                if let [_, rest @ ..] = texts.as_mut_slice() {
                    rest.sort_unstable();
                }
            }
            Defect::StaysBusy => {
                if self.is_busy.swap(true, Ordering::Relaxed) {
                    return refuse(ErrorKind::Unavailable);
                }
                tokio::task::yield_now().await;
                self.is_busy.store(false, Ordering::Relaxed);
            }
            _ => {}
        }
        let mut vectors = self.inner.embed(&texts, purpose).await?;
        for (text, vector) in texts.iter().zip(&mut vectors) {
            match self.defect {
                Defect::GrowsWide if text.contains('\0') => vector.push(0.0),
                Defect::SaysNotANumber if text.contains('\0') => vector.fill(f32::NAN),
                Defect::DoublesLength | Defect::HonestlyLong => {
                    for part in vector.iter_mut() {
                        *part *= 2.0;
                    }
                }
                Defect::DependsOnBatch if texts.len() > 1 => vector.rotate_left(1),
                Defect::TurnsQueries if purpose == Purpose::Query => vector.rotate_left(1),
                _ => {}
            }
        }
        Ok(vectors)
    }
}

defects! {
    embedder: [
    sorts_the_texts: SortsTexts => [em_1_embed_answers_one_vector_a_text];
    grows_wide: GrowsWide => [em_2_vectors_have_the_width_of_the_space];
    says_what_is_not_a_number: SaysNotANumber => [
        em_2_vectors_have_the_width_of_the_space,
        em_3_vectors_of_a_normalised_space_have_length_one
    ];
    has_vectors_of_length_two: DoublesLength => [em_3_vectors_of_a_normalised_space_have_length_one];
    depends_on_the_batch: DependsOnBatch => [em_4_the_same_text_gives_the_same_vector];
    takes_any_number_of_texts: TakesAny => [em_5_a_batch_may_have_max_batch_texts];
    refuses_no_texts: RefusesNone => [em_6_no_texts_are_no_vectors];
    has_a_revision_of_the_hour: CountsCalls => [em_7_the_space_is_named_and_stays];
    stays_busy_when_it_is_dropped: StaysBusy => [em_8_a_call_that_is_dropped_leaves_it_usable];
    lets_questions_live_elsewhere: TurnsQueries => [em_9_both_purposes_share_the_space];
    an_embedder_without_unit_vectors_keeps_the_contract: HonestlyLong => [];
    ]
    opened again: []
}

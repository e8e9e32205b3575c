//! How near two vectors are.

/// Sums that are added up side by side, so that several numbers are taken at a time.
const LANES: usize = 8;

/// What vectors are compared with.
///
/// Numbers are taken as they came and compared in double precision, so that vectors of one
/// direction have one cosine, whatever their lengths.
#[derive(Debug)]
pub(crate) struct Direction<'a> {
    vector: &'a [f32],
    scale: f64,
}

impl<'a> Direction<'a> {
    /// The direction of a vector; none for one without length.
    pub(crate) fn of(vector: &'a [f32]) -> Option<Self> {
        let length = dot(vector, vector).sqrt();
        (length > 0.0).then(|| Self {
            vector,
            scale: length.recip(),
        })
    }

    /// The cosine as a score: never past one, and nought without a sign, so that equals are equal.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a score is rounded to single precision on purpose"
    )]
    pub(crate) fn cosine(&self, row: &[f32]) -> f32 {
        let scale = dot(row, row).sqrt().recip();
        (dot(row, self.vector) * scale * self.scale).clamp(-1.0, 1.0) as f32 + 0.0
    }

    /// Its numbers for a length of one.
    pub(crate) fn unit(&self) -> Vec<f64> {
        self.vector
            .iter()
            .map(|number| f64::from(*number) * self.scale)
            .collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0_f64; LANES];
    let (chunks_a, rest_a) = a.as_chunks::<LANES>();
    let (chunks_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in chunks_a.iter().zip(chunks_b) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += f64::from(*x) * f64::from(*y);
        }
    }
    let rest: f64 = rest_a
        .iter()
        .zip(rest_b)
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum();
    sums.iter().sum::<f64>() + rest
}

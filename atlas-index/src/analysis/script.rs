//! What kind of character one is, as far as cutting and folding go.

use unicode_normalization::char::is_combining_mark;

/// The zeros of the decimal digits that compatibility forms do not turn into ASCII.
const ZEROS: [u32; 12] = [
    0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0E50, 0x0ED0, 0x1040, 0x17E0,
];

/// The value of a decimal digit of any of the common scripts.
pub(super) fn digit_value(c: char) -> Option<u32> {
    let code = u32::from(c);
    c.to_digit(10).or_else(|| {
        ZEROS
            .iter()
            .find(|zero| (**zero..**zero + 10).contains(&code))
            .map(|zero| code - zero)
    })
}

/// Whether it belongs to a script that is written without spaces between words, or, as Korean is,
/// with particles that stick to them.
pub(super) fn is_unspaced(c: char) -> bool {
    let in_script = matches!(u32::from(c),
        // Thai, Lao, Burmese, Hangul letters.
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF
        // Khmer, Tai Le, New Tai Lue, Khmer symbols, Tai Tham.
        | 0x1780..=0x17FF | 0x1950..=0x19FF | 0x1A20..=0x1AAF
        // Han marks, kana, Bopomofo, Hangul letters, kana extensions.
        | 0x3005..=0x3007 | 0x3041..=0x318F | 0x31A0..=0x31BF | 0x31F0..=0x31FF
        // Han, Yi, Burmese and Hangul extensions, Hangul.
        | 0x3400..=0x4DBF | 0x4E00..=0xA4CF | 0xA960..=0xA97F | 0xA9E0..=0xA9FF
        | 0xAA60..=0xAA7F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF
        // Kana supplements, Han extensions.
        | 0x1AFF0..=0x1B16F | 0x20000..=0x3FFFF);
    in_script && digit_value(c).is_none() && (c.is_alphabetic() || is_combining_mark(c))
}

/// Whether it is a picture that stands for a word.
pub(super) fn is_emoji(c: char) -> bool {
    matches!(u32::from(c), 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0x1F000..=0x1FAFF)
        && !c.is_alphanumeric()
}

/// Whether it changes only how its neighbours look: joiners, direction marks, variations, skin
/// tones.
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(u32::from(c),
        0x00AD | 0x061C | 0x0640 | 0x180B..=0x180F | 0x200C..=0x200F | 0x202A..=0x202E
        | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF | 0x1F3FB..=0x1F3FF
        | 0xE0000..=0xE01EF)
}

/// Whether it is an accent or a vowel point that readers leave out: generic marks, Cyrillic,
/// Hebrew points, Arabic and Syriac vowels, the Indic nukta. Vowel signs that a word cannot do
/// without, and the voicing of kana, are none.
pub(super) fn is_accent(c: char) -> bool {
    is_combining_mark(c)
        && matches!(u32::from(c),
            0x0300..=0x036F | 0x0483..=0x0489 | 0x0591..=0x05C7 | 0x0610..=0x061A
            | 0x064B..=0x065F | 0x0670 | 0x06D6..=0x06ED | 0x0711 | 0x0730..=0x074A
            | 0x0898..=0x08FF | 0x093C | 0x09BC | 0x0A3C | 0x0ABC | 0x0B3C | 0x0CBC
            | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// Whether it can stand inside a word.
pub(super) fn is_wordly(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Whether words have ends between them at it.
pub(super) fn is_gap(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{200B}'
}

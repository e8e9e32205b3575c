//! Code: it keeps its backticks and everything inside.

use super::token::{Token, text};

/// The marks of a block and of code within a line.
const BLOCK: usize = 3;

/// Makes each code block and each piece of inline code whole.
pub(super) fn fold(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is('`')) {
        return tokens;
    }
    let mut folded = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    let mut blocks_may_follow = true;
    while let Some((first, after)) = rest.split_first() {
        let length = match ticks(rest) {
            0 => None,
            BLOCK if blocks_may_follow => {
                let length = block(rest);
                blocks_may_follow = length.is_some();
                length
            }
            1 => inline(rest),
            _ => None,
        };
        if let Some((code, after)) = length.and_then(|length| rest.split_at_checked(length)) {
            folded.push(Token::Whole(text(code)));
            rest = after;
        } else {
            folded.push(first.clone());
            rest = after;
        }
    }
    folded
}

/// How many backticks the tokens begin with; more than a block's are counted as that many.
fn ticks(tokens: &[Token]) -> usize {
    let ticks = tokens.iter().take(BLOCK).take_while(|token| token.is('`'));
    ticks.count()
}

/// The length of the block that the tokens begin with.
fn block(tokens: &[Token]) -> Option<usize> {
    let inside = tokens.get(BLOCK..)?;
    let end = inside
        .windows(BLOCK)
        .position(|three| ticks(three) == BLOCK)?;
    Some(BLOCK + end + BLOCK)
}

/// The length of the inline code that the tokens begin with.
fn inline(tokens: &[Token]) -> Option<usize> {
    let inside = tokens.get(1..)?;
    let end = inside
        .iter()
        .position(|token| token.is('`') || token.breaks_line())?;
    (end > 0 && inside.get(end)?.is('`')).then_some(1 + end + 1)
}

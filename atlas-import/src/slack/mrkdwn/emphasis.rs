//! Bold, italic and struck text loses its marks.

use super::token::Token;

const MARKS: [char; 3] = ['*', '_', '~'];

/// Characters beside which a mark may stand on its outer side, besides white space.
const OUTSIDE: &str = "()[]{}\"'“”‘’«»<>-–—*_~,.;:!?…^";

/// Removes marks that come in pairs around words of one line; `snake_case`, `2 * 3 * 4` and
/// `**kwargs` have none.
pub(super) fn strip(tokens: Vec<Token>) -> Vec<Token> {
    let mut is_mark = vec![false; tokens.len()];
    for mark in MARKS {
        let mut from = 0;
        while let Some((open, close)) = next_pair(&tokens, mark, from) {
            for at in [open, close] {
                if let Some(flag) = is_mark.get_mut(at) {
                    *flag = true;
                }
            }
            from = close + 1;
        }
    }
    let kept = tokens
        .into_iter()
        .zip(is_mark)
        .filter(|(_, is_mark)| !is_mark);
    kept.map(|(token, _)| token).collect()
}

/// The next pair of the mark at or after `from`.
fn next_pair(tokens: &[Token], mark: char, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    while at < tokens.len() {
        if !opens(tokens, mark, at) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while tokens.get(end).is_some_and(|token| !token.breaks_line()) {
            if end > at + 1 && closes(tokens, mark, end) {
                return Some((at, end));
            }
            end += 1;
        }
        // What does not close this one closes no later one of the line.
        at = end;
    }
    None
}

fn opens(tokens: &[Token], mark: char, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    is_at(tokens, mark, at) && is_outside(before, mark) && is_inside(tokens.get(at + 1), mark)
}

fn closes(tokens: &[Token], mark: char, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    is_at(tokens, mark, at) && is_inside(before, mark) && is_outside(tokens.get(at + 1), mark)
}

fn is_at(tokens: &[Token], mark: char, at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is(mark))
}

fn is_outside(token: Option<&Token>, mark: char) -> bool {
    match token.map(Token::char) {
        Some(Some(c)) => c != mark && (c.is_whitespace() || OUTSIDE.contains(c)),
        Some(None) | None => true,
    }
}

fn is_inside(token: Option<&Token>, mark: char) -> bool {
    match token.map(Token::char) {
        Some(Some(c)) => c != mark && !c.is_whitespace(),
        Some(None) => true,
        None => false,
    }
}

//! Quoted lines begin with `> `.

use super::token::Token;

/// Puts a blank after the `>` of each quoted line; `>>>` quotes every line that follows.
pub(super) fn space(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is('>')) {
        return tokens;
    }
    let mut spaced = Vec::with_capacity(tokens.len());
    let mut quotes_rest = false;
    let mut rest = tokens.as_slice();
    while !rest.is_empty() {
        let length = rest
            .iter()
            .position(Token::breaks_line)
            .map_or(rest.len(), |at| at + 1);
        let Some((line, after)) = rest.split_at_checked(length) else {
            break;
        };
        let marks = line.iter().take_while(|token| token.is('>')).count();
        let skipped = match marks {
            _ if quotes_rest => 0,
            0 => {
                spaced.extend_from_slice(line);
                rest = after;
                continue;
            }
            3.. => {
                quotes_rest = true;
                3
            }
            _ => 1,
        };
        let quoted = line.get(skipped..).unwrap_or_default();
        spaced.push(Token::Char('>'));
        if quoted
            .first()
            .is_some_and(|token| !token.is(' ') && !token.is('\n'))
        {
            spaced.push(Token::Char(' '));
        }
        spaced.extend_from_slice(quoted);
        rest = after;
    }
    spaced
}

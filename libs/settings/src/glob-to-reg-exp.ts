/**
 * A glob for whole paths with `*` and `?` within a folder name, `**` across folders and `{a,b}`. Matches the folder itself and
 * everything in it, so `secret` and `secret/**` mean the same. What is not closed is taken literally.
 */
export function globToRegExp(glob: string): RegExp {
  const body = glob.replace(/(?:\/\*\*)+\/?$/, '');
  return new RegExp(`^${source(body)}(?:/.*)?$`, 'su');
}

function source(glob: string): string {
  let result = '';
  for (let at = 0; at < glob.length;) {
    const rest = glob.slice(at);
    const stars = /^\*+/.exec(rest)?.[0].length ?? 0;
    const braces = stars === 0 ? /^\{([^{}]*)\}/.exec(rest) : null;
    if (stars > 1 && rest[stars] === '/') {
      result += '(?:.*/)?';
      at += stars + 1;
    } else if (stars > 0) {
      result += stars > 1 ? '.*' : '[^/]*';
      at += stars;
    } else if (braces) {
      result += `(?:${(braces[1] ?? '').split(',').map(source).join('|')})`;
      at += braces[0].length;
    } else {
      const char = String.fromCodePoint(glob.codePointAt(at) ?? 0);
      result += char === '?' ? '[^/]' : char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
      at += char.length;
    }
  }
  return result;
}

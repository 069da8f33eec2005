/** Texts that are dangerous as markup, as a URL, or as bidirectional text. */
export const HOSTILE = {
  title: '<img src=x onerror=alert(1)> in a title',
  narrative:
    '</script><script>alert(2)</script> [a link](javascript:alert(3)) <a href="javascript:alert(4)">here</a> <svg/onload=alert(5)>',
  fact: '<iframe src="https://evil.example/"></iframe>',
  file: 'src/"><img src=x onerror=alert(6)>.ts',
  concept: '"onmouseover="alert(7)',
  prompt: '<style>*{display:none}</style><script>alert(8)</script> fix it',
  project: '"><script>alert(9)</script>',
  next: 'javascript:alert(10) // {{constructor.constructor("alert(11)")()}}',
  /** Reverses the text direction, and is longer than a line. */
  odd: `\u202Egnp.exe ${'unbreakable'.repeat(24)} 数据库 🧠 é\u0301`,
} as const;

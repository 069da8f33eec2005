/** What a memory may hold that is not harmless as markup, as an address or as text that runs in two directions. */
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
  /** Turns the reading direction round, and is longer than any line. */
  odd: `\u202Egnp.exe ${'unbreakable'.repeat(24)} 数据库 🧠 é\u0301`,
} as const;

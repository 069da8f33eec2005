/** The name in messages of another program called claude-mem that may be installed on the machine. */
export const OTHER_CLAUDE_MEM = 'another program that is also named claude-mem (by thedotmack)';

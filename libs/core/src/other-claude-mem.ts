/** How messages name the program of the same name whose files and plugin may be on a machine. */
export const OTHER_CLAUDE_MEM = 'another program that is also named claude-mem (by thedotmack)';

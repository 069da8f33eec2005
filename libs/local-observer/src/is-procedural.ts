/**
 * Matches a question about the procedure, such as "What would you like to do with this?". Its answer decides nothing
 * about the project.
 */
export const isProcedural = (question: string) =>
  /^(?:what would you like to do|how would you like to proceed|ready to|should i (?:proceed|continue)|shall i|continue\?|proceed\?)/i.test(
    question,
  );

export { createFreshness, type Freshness } from './create-freshness.js';
export { createGit, type RunGit } from './git/create-git.js';
export { readBranchName } from './git/read-branch-name.js';
export { readHead } from './git/read-head.js';
export { readFileContent, type FileContent } from './read-file-content.js';

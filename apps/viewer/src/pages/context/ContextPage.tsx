import { Page } from '../../ui/Page.js';

export function ContextPage() {
  return <Page title="Context">{null}</Page>;
}

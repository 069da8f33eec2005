import { Page } from '../../ui/Page.js';

export function TimelinePage() {
  return <Page title="Timeline">{null}</Page>;
}

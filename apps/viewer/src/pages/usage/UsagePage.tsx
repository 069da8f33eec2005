import { Page } from '../../ui/Page.js';

export function UsagePage() {
  return <Page title="Usage">{null}</Page>;
}

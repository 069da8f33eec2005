import { Page } from '../../ui/Page.js';

export function HealthPage() {
  return <Page title="Health">{null}</Page>;
}

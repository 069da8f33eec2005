import { Page } from '../../ui/Page.js';

export function ObservationPage() {
  return <Page title="Observation">{null}</Page>;
}

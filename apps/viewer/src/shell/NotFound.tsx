import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../ui/EmptyState.js';
import { Page } from '../ui/Page.js';

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState icon={Compass} title="There is no such page">
        The record may have been deleted. <Link to="/">Go to the feed</Link>
      </EmptyState>
    </Page>
  );
}

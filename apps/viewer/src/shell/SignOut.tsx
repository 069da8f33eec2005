import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.js';
import { onDemand } from '../ui/on-demand.js';

const SignOutDialog = onDemand(async () => (await import('./SignOutDialog.js')).SignOutDialog);

export function SignOut() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <LogOut aria-hidden size={16} />
        Sign out
      </Button>
      {isOpen && <SignOutDialog onClose={() => setOpen(false)} />}
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import { Button } from '../ui/Button.js';
import { Command } from '../ui/Command.js';
import { Failure } from '../ui/Failure.js';
import { Modal } from '../ui/Modal.js';
import { signOut } from './sign-out.js';

/** Explains the effects of signing out, and asks for confirmation. */
export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const leave = useMutation({ mutationFn: signOut });
  return (
    <Modal title="Sign this browser out?" onClose={onClose}>
      <p>
        All tabs of this browser are signed out. Run <Command>open</Command> to sign in again. Other browsers
        stay signed in. To sign out all browsers, delete the file <code>token</code> in the data folder and
        run <Command>restart</Command>.
      </p>
      {leave.isError && <Failure error={leave.error} />}
      <div className="row right">
        <Button onClick={onClose}>Stay</Button>
        <Button
          variant="primary"
          disabled={leave.isPending}
          focusableWhenDisabled
          onClick={() => leave.mutate()}
        >
          Sign out
        </Button>
      </div>
    </Modal>
  );
}

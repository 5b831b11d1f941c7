import { useText } from '../../shared/i18n/index.ts'
import { Button, Note, NoteActions } from '../../shared/ui/index.ts'
import { useProtection } from './use-protection.ts'

/**
 * Asks a member without a fund password to choose one before paying. Once money has moved, a lost set-up code is not
 * replaced, and a reset takes three days. Draws nothing for other members and during a reset.
 */
export function NoPasswordNote({ onChoose }: { onChoose: () => void }) {
  const t = useText()
  const { protection } = useProtection()
  if (protection?.fundPassword.chosen !== false || protection.fundPassword.reset) return null
  return (
    <Note tone="lode">
      {t('security.password.noneYet')}
      <NoteActions>
        <Button tone="plain" onClick={onChoose}>
          {t('protection.password.choose')}
        </Button>
      </NoteActions>
    </Note>
  )
}

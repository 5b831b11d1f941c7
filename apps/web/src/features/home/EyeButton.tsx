import { Eye, EyeOff } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'
import { hideAmounts, IconButton, useHidesAmounts } from '../../shared/ui/index.ts'

/** Hides the member's own amounts on this device, or shows them again. */
export function EyeButton() {
  const t = useText()
  const hides = useHidesAmounts()
  return (
    <IconButton
      label={t(hides ? 'wallet.hidden.show' : 'wallet.hidden.hide')}
      icon={hides ? <EyeOff size={20} aria-hidden="true" /> : <Eye size={20} aria-hidden="true" />}
      onClick={() => hideAmounts(!hides)}
    />
  )
}

import { createRoot } from 'react-dom/client'
import { loadMemberTexts } from '../../shared/i18n/index.ts'
import { PairingSheet } from './PairingSheet.tsx'

let mounted = false

/**
 * Draws the sheet beside the app, in a root of its own. Any page can then open it, and pages load nothing of it before
 * WalletConnect is chosen.
 */
export async function mountPairingSheet(): Promise<void> {
  await loadMemberTexts()
  if (mounted) return
  mounted = true
  createRoot(document.body.appendChild(document.createElement('div'))).render(<PairingSheet />)
}

import { useText } from '../../shared/i18n/index.ts'
import { HelpLink } from './HelpLink.tsx'

/** A link to what USDT, BTN and the network's coin are for. Shown where a balance is too small. */
export function CoinsLink({ onLeave }: { onLeave?: (() => void) | undefined }) {
  const t = useText()
  return <HelpLink article="how-to-begin" text={t('explain.coins')} onLeave={onLeave} />
}

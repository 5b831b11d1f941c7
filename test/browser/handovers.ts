import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const source = resolve(import.meta.dirname, '../../apps/web/src')

/** The parts of the app that copy, save, share or print, by how they appear in a source file. */
const uses = {
  copy: /\buseCopy\(\)|<CopyButton\b/g,
  address: /<CopyableAddress\b/g,
  transaction: /<TransactionLink\b/g,
  save: /\buseHandOver\(\)/g,
  share: /\bopenShareSheet\(/g,
  print: /\bprintPage\(\)/g,
} as const
type Use = keyof typeof uses

/** The functions of the browser behind them, and the only files that may call each. */
const browserFunctions: readonly { readonly pattern: RegExp; readonly files: readonly string[] }[] = [
  { pattern: /\.clipboard\b/, files: ['shared/clipboard/use-copy.ts'] },
  { pattern: /\bexecCommand\b/, files: ['shared/clipboard/copy-by-selection.ts'] },
  { pattern: /\.share\??\.?\(/, files: ['shared/handover/share-sheet.ts'] },
  { pattern: /\.print\(/, files: ['features/statement/print-page.ts'] },
  { pattern: /\bcreateObjectURL\b|\.download\b|\bdownload=/, files: ['shared/handover/download-file.ts'] },
  { pattern: /window\.open\b|showSaveFilePicker/, files: [] },
]

/** Files that build one use from another, or define it. */
const definitions = new Set([
  'shared/clipboard/use-copy.ts',
  'shared/handover/use-hand-over.ts',
  'shared/handover/share-sheet.ts',
  'shared/handover/hand-over.ts',
  'shared/ui/CopyButton.tsx',
  'shared/ui/Address.tsx',
  'shared/ui/TransactionLink.tsx',
  'features/statement/print-page.ts',
])

/** One copy, save, share or print of the app, and what the member of a poor browser ends with. */
export type Handover = {
  /** `file use`, as `findHandovers` writes it. */
  readonly of: `${string} ${Use}`
  /** The screen on which it is, in `screens` or in the test that uses this list. Null if it says why in `without`. */
  readonly screen: string | null
  readonly without?: string
  /** The button's name. */
  readonly press?: string
  /** What the member can copy by hand, press and hold, or read. */
  readonly ends?: RegExp
}

const ADDRESS = { press: 'Copy address', ends: /^0x[0-9a-fA-F]{40}$/ }
const HASH = { press: 'Copy transaction hash', ends: /^0x[0-9a-f]{64}$/ }

export const handovers: readonly Handover[] = [
  {
    of: 'features/share/InviteCard.tsx copy',
    screen: 'share',
    press: 'Copy invitation code',
    ends: /^[0-9A-Z]{4}-[0-9A-Z]{4}$/,
  },
  {
    of: 'features/share/InviteCard.tsx copy',
    screen: 'share',
    press: 'Copy invitation link',
    ends: /\/regist\?invite=[0-9A-Z]{8}$/,
  },
  { of: 'features/share/InviteCard.tsx save', screen: 'share', press: 'Save as picture', ends: /^data:image\/png/ },
  {
    of: 'features/share/InviteCard.tsx share',
    screen: null,
    without: 'the button is there only if the browser shares',
  },
  { of: 'shared/ui/FileSheet.tsx share', screen: null, without: 'the button is there only if the browser shares' },
  {
    of: 'shared/ui/FileSheet.tsx copy',
    screen: null,
    without: 'the text is in a field on the sheet, which the test reads for every saved text',
  },
  { of: 'features/statement/StatementView.tsx save', screen: 'statement', press: 'Save as CSV', ends: /USDT/ },
  { of: 'features/statement/StatementView.tsx print', screen: 'statement', press: 'Print', ends: /USDT/ },
  { of: 'features/wallet/use-csv.ts save', screen: 'wallet-detail', press: 'Save log as CSV', ends: /^Time \(UTC\),/ },
  { of: 'features/wallet/LogLine.tsx transaction', screen: 'wallet-detail', ...HASH },
  { of: 'shared/record/RecordSheet.tsx copy', screen: 'wallet-line', ...HASH },
  {
    of: 'shared/record/RecordSheet.tsx copy',
    screen: 'wallet-line',
    press: 'Copy reference',
    ends: /^0x[0-9a-f]{64}:0$/,
  },
  {
    of: 'shared/record/RecordSheet.tsx transaction',
    screen: null,
    without: 'a link to the explorer, in place of the button if the pool names an explorer',
  },
  {
    of: 'features/sign-in/SetupCode.tsx copy',
    screen: 'regist-setup-code',
    press: 'Copy the set-up code',
    ends: /^[0-9A-Z-]{9,}$/,
  },
  {
    of: 'features/sign-in/NoWallet.tsx copy',
    screen: 'login-no-wallet-phone',
    press: 'Copy the link to this page',
    ends: /^http.*\/login/,
  },
  {
    of: 'chain/walletconnect/PairingSheet.tsx copy',
    screen: null,
    without: 'connects a wallet on another device; the browser of a wallet has its own',
  },
  { of: 'features/home/MemberCard.tsx address', screen: 'home', ...ADDRESS },
  { of: 'features/home/RecentProductions.tsx transaction', screen: 'home', ...HASH },
  { of: 'features/setting/ProfileCard.tsx address', screen: 'setting-address-waits', ...ADDRESS },
  { of: 'features/protection/OutputAddressCard.tsx address', screen: 'setting-address-waits', ...ADDRESS },
  { of: 'features/protection/OutputAddressCard.tsx address', screen: 'setting-address-waits', ...ADDRESS },
  { of: 'features/deposit/DepositFormParts.tsx address', screen: 'deposit-form', ...ADDRESS },
  { of: 'features/deposit/ReportedDeposits.tsx transaction', screen: 'deposit-reported', ...HASH },
  { of: 'features/payment/PaymentProgress.tsx transaction', screen: 'deposit-failed', ...HASH },
  { of: 'features/payment/PaymentProgress.tsx transaction', screen: 'deposit-failed', ...HASH },
  { of: 'features/order/WalletPart.tsx address', screen: 'promote-online', ...ADDRESS },
  { of: 'features/order/PayParts.tsx address', screen: 'order-paid-elsewhere', ...ADDRESS },
  { of: 'features/order/PayParts.tsx transaction', screen: 'order-paid-elsewhere', ...HASH },
  { of: 'features/order/OrderProgress.tsx transaction', screen: 'order-confirming', ...HASH },
  { of: 'features/records/OrderList.tsx transaction', screen: 'records-orders', ...HASH },
  { of: 'features/records/PaymentList.tsx transaction', screen: 'records-payments', ...HASH },
  { of: 'features/dao/PaymentsPart.tsx transaction', screen: 'dao-payments', ...HASH },
  { of: 'features/dao/VaultPart.tsx transaction', screen: 'dao-vault', ...HASH },
  { of: 'features/transfer/FormParts.tsx address', screen: 'transfer-form', ...ADDRESS },
  { of: 'features/transfer/TransferDetailScreen.tsx address', screen: 'transfer-arrived', ...ADDRESS },
  { of: 'features/transfer/TransferDetailScreen.tsx transaction', screen: 'transfer-arrived', ...HASH },
  { of: 'features/pledge/DayLine.tsx transaction', screen: 'pledge-days', ...HASH },
  {
    of: 'features/pledge/DayLine.tsx copy',
    screen: 'pledge-days',
    press: 'Copy Bitcoin transaction',
    ends: /^[0-9a-f]{64}$/,
  },
]

/** Every use in the source, as `file use`, once for each time. Throws if a file calls a browser's function directly. */
export async function findHandovers(): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('**/*.{ts,tsx}', { cwd: source, exclude: ['**/*.test.*', '**/i18n/texts/**'] })) {
    const text = await readFile(join(source, file), 'utf8')
    for (const { pattern, files } of browserFunctions)
      if (pattern.test(text) && !files.includes(file)) throw new Error(`${file} itself uses ${pattern}`)
    if (definitions.has(file)) continue
    for (const [use, pattern] of Object.entries(uses))
      for (const _ of text.matchAll(pattern)) found.push(`${file} ${use}`)
  }
  return found.sort()
}

import { MAIN_NET } from './answer-request.ts'
import type { DevWallet } from './wallet.ts'
import type { Approval } from './wallet-state.ts'

/**
 * The wallet's own panel, in a shadow root, so that its styles and the app's do not affect each other. The host is
 * beside the body, not inside it: the app's dialogs hide everything else in the body from screen readers.
 */
export function createPanel(getWallet: () => DevWallet) {
  const host = document.createElement('lode-development-wallet')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]

  const dialog = element('dialog', { 'aria-labelledby': 'title' })
  const opener = element('button', { class: 'opener', type: 'button' }, 'Dev wallet')
  opener.addEventListener('click', () => void show(null))
  root.append(opener, dialog)
  document.documentElement.append(host)

  let answer: (approved: boolean) => void = () => {}
  dialog.addEventListener('close', () => answer(dialog.returnValue === 'approve'))

  async function show(approval: Approval | null): Promise<boolean> {
    if (dialog.open) dialog.close('refuse')
    const wallet = getWallet()
    const home = await wallet.homeChain().catch(() => null)
    dialog.returnValue = ''
    dialog.replaceChildren(
      element('h2', { id: 'title' }, approval ? titleOf(approval) : 'Development wallet'),
      element('p', { class: 'note' }, 'For development only. Its keys are known to everybody.'),
      ...(approval === null || approval.kind === 'connect' ? [accountChoice(wallet)] : [accountLine(wallet)]),
      ...(approval === null ? [networkChoice(wallet, home)] : []),
      ...(approval && 'details' in approval ? [element('pre', { tabindex: '0' }, approval.details)] : []),
      buttons(approval),
    )
    return new Promise((resolve) => {
      answer = resolve
      dialog.showModal()
    })
  }

  function buttons(approval: Approval | null): HTMLElement {
    const row = element('form', { method: 'dialog', class: 'buttons' })
    if (approval) {
      row.append(
        element('button', { value: 'refuse', class: 'quiet' }, 'Refuse'),
        element('button', { value: 'approve', autofocus: '' }, 'Approve'),
      )
      return row
    }
    const disconnect = element('button', { value: 'refuse', class: 'quiet' }, 'Disconnect from this page')
    disconnect.addEventListener('click', () => getWallet().disconnect())
    row.append(disconnect, element('button', { value: 'refuse', autofocus: '' }, 'Done'))
    return row
  }

  return { approve: (approval: Approval) => show(approval) }
}

function titleOf(approval: Approval): string {
  switch (approval.kind) {
    case 'connect':
      return 'Show an account to this page?'
    case 'sign':
      return approval.title
    case 'transaction':
      return 'Send a transaction?'
    case 'network':
      return 'Change the network?'
  }
}

function accountLine(wallet: DevWallet): HTMLElement {
  const { account } = wallet.state()
  return element('p', { class: 'account' }, `Account ${account} · ${wallet.accounts[account]?.address ?? ''}`)
}

function accountChoice(wallet: DevWallet): HTMLElement {
  const select = element('select', {})
  for (const [index, account] of wallet.accounts.entries()) {
    const option = element('option', { value: String(index) }, `Account ${index} · ${account.address}`)
    option.selected = index === wallet.state().account
    select.append(option)
  }
  select.addEventListener('change', () => wallet.chooseAccount(Number(select.value)))
  return withLabel('Account', select)
}

function networkChoice(wallet: DevWallet, home: number | null): HTMLElement {
  const select = element('select', {})
  const { elsewhere } = wallet.state()
  const networks: [number | null, string][] = [
    [home, home === null ? 'Development chain (does not answer)' : `Development chain (${home})`],
    [MAIN_NET, 'Ethereum (1), to try the wrong network'],
  ]
  for (const [id, name] of networks) {
    const option = element('option', { value: String(id) }, name)
    option.selected = elsewhere === null ? id === home : id === elsewhere
    select.append(option)
  }
  select.addEventListener('change', () => void wallet.setChain(Number(select.value)))
  return withLabel('Network', select)
}

function withLabel(name: string, control: HTMLElement): HTMLElement {
  const label = element('label', {}, name)
  label.append(control)
  return label
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  text?: string,
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value)
  if (text !== undefined) created.textContent = text
  return created
}

const STYLE = `
:host { all: initial; color-scheme: light; font: 14px/1.45 system-ui, sans-serif; }
.opener { position: fixed; left: 0; top: 50%; z-index: 2147483000; padding: 10px 5px; border: 1px dashed #5b3a8c; border-left: 0;
  border-radius: 0 10px 10px 0; background: #f3ecff; color: #4a2b7a; font: 600 11px system-ui, sans-serif; writing-mode: vertical-rl;
  translate: 0 -50%; cursor: pointer; }
dialog { box-sizing: border-box; width: min(430px, 100%); max-width: 100%; max-height: 90%; margin: auto auto 0; padding: 20px; overflow: auto;
  border: 1px solid #c9b6ea; border-radius: 20px 20px 0 0; background: #fff; color: #22163a; font: inherit; }
dialog::backdrop { background: rgb(20 10 40 / .5); }
h2 { margin: 0 0 4px; font-size: 18px; }
p { margin: 0 0 12px; }
.note { color: #6a5a86; font-size: 12px; }
.account { font-size: 12px; overflow-wrap: anywhere; }
label { display: block; margin: 0 0 12px; font-weight: 600; font-size: 12px; }
select { display: block; box-sizing: border-box; width: 100%; min-height: 44px; margin-top: 4px; padding: 0 8px; border: 1px solid #8d7bb0;
  border-radius: 10px; background: #fff; color: inherit; font: 13px ui-monospace, monospace; }
pre { max-height: 40vh; margin: 0 0 12px; padding: 12px; overflow: auto; border-radius: 10px; background: #f6f1ff;
  font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.buttons { display: flex; gap: 8px; }
.buttons button { flex: 1; min-height: 48px; border: 1px solid #4a2b7a; border-radius: 12px; background: #4a2b7a; color: #fff;
  font: 600 15px system-ui, sans-serif; cursor: pointer; }
.buttons .quiet { background: #fff; color: #4a2b7a; }
:focus-visible { outline: 3px solid #b48cff; outline-offset: 2px; }
`

/** Each view is loaded when it is first opened. A member who only looks at an order needs neither. */
export const loadPledgeView = async () => (await import('./PledgeView.tsx')).PledgeView
export const loadPledgeDetailView = async () => (await import('./PledgeDetailView.tsx')).PledgeDetailView

export { CollectButton } from './CollectButton.tsx'
export { pledgeOrderPresenter } from './pledge-order-presenter.tsx'

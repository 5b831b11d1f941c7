export { pledgeOrder } from './pledge-order.tsx'

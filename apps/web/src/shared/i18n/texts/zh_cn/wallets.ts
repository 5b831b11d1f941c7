import type { wallets as en } from '../en/wallets.ts'
import type { Translated } from '../translated.ts'

export const wallets: Translated<typeof en> = {
  pairing: {
    title: '通过 WalletConnect 连接',
    desktop: '用钱包 App 扫描此二维码，并在钱包中同意连接。',
    phone: '选择您的钱包 App，在钱包中同意连接，然后回到这个页面。',
    qrLabel: '用来连接钱包的二维码',
    loading: '正在准备连接',
    waiting: '正在等待您的钱包',
    copy: '复制连接链接',
    showCode: '我的钱包在另一台设备上',
    unreachable: 'WalletConnect 没有响应。请检查网络后重试，或选择其他钱包。',
  },

  accountChanged: {
    title: '钱包已切换账户',
    text: '您仍保持登录，但在两者一致之前无法付款。',
    session: '当前登录',
    wallet: '钱包当前账户',
    switchBack: '切换回来',
    signInAsThis: '用该账户登录',
    waiting: '请在钱包中选择 {{account}}，此窗口会自动关闭。',
    banner: '钱包当前是其他账户',
  },

  disconnected: {
    title: '您的钱包已断开连接',
    text: '您仍处于登录状态，但要重新连接钱包后才能付款。',
    reconnect: '重新连接',
    banner: '钱包已断开连接',
  },
}

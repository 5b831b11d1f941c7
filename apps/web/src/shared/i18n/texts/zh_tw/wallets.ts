import type { wallets as en } from '../en/wallets.ts'
import type { Translated } from '../translated.ts'

export const wallets: Translated<typeof en> = {
  pairing: {
    title: '透過 WalletConnect 連接',
    desktop: '用錢包 App 掃描此 QR Code，並在錢包中同意連接。',
    phone: '選擇您的錢包 App，在錢包中同意連接，然後回到這個頁面。',
    qrLabel: '用來連接錢包的 QR Code',
    loading: '正在準備連接',
    waiting: '正在等待您的錢包',
    copy: '複製連接連結',
    showCode: '我的錢包在另一台裝置上',
    unreachable: 'WalletConnect 沒有回應。請檢查網路後重試，或選擇其他錢包。',
  },

  accountChanged: {
    title: '錢包已切換帳戶',
    text: '您仍保持登入，但在兩者一致之前無法付款。',
    session: '目前登入',
    wallet: '錢包目前帳戶',
    switchBack: '切換回原帳戶',
    signInAsThis: '以此帳戶登入',
    waiting: '請在錢包中選擇 {{account}}，此視窗會自動關閉。',
    banner: '錢包目前是其他帳戶',
  },

  disconnected: {
    title: '您的錢包已中斷連接',
    text: '您仍處於登入狀態，但要重新連接錢包後才能付款。',
    reconnect: '重新連接',
    banner: '錢包已中斷連接',
  },
}

// Numbers for people.
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const percent = (v) => `${new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 }).format(v)} %`;
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const metres = (v) => `${short.format(v)} m`;
const exact = (v) => `${+(+v).toFixed(4)} m`;
const watts = (v) => (v >= 1e6 ? `${short.format(v / 1e6)} MW` : v >= 1e3 ? `${short.format(v / 1e3)} kW` : `${short.format(v)} W`);
const distance = (v) => (v >= 1e5 ? `${short.format(v / 1e3)} km` : `${(v < 100 ? short : whole).format(v)} m`);
const money = (v, currency) => (v === null || v === undefined ? "no price" : `${cents.format(v)} ${currency}`);
const bigMoney = (v) => (v >= 1e6 ? `${short.format(v / 1e6)} M` : v >= 1e4 ? `${short.format(v / 1e3)} k` : cents.format(v));
const plural = (n, one, many = one + "s") => `${whole.format(n)} ${n === 1 ? one : many}`;

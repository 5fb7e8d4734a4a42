import{a as r,n as t,o as e,p as o,u as m,w as d}from"./chunk-ES6SPKHM.js";function i(){let f=t(e);return o(r,{children:[o(d,{title:f.ledger}),o(m,{})]})}export{i as default};

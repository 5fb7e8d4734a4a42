import{a as r,n as t,o as e,p as o,u as m,w as f}from"./chunk-ES6SPKHM.js";function i(){let d=t(e);return o(r,{children:[o(f,{title:d.home}),o(m,{})]})}export{i as default};

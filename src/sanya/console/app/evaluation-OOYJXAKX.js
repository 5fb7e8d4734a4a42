import{a as t,n as r,o as e,p as o,u as m,w as a}from"./chunk-ES6SPKHM.js";function i(){let f=r(e);return o(t,{children:[o(a,{title:f.evaluation}),o(m,{})]})}export{i as default};

"""Pairs of statements in English and Thai, labelled by hand: how they contradict each other, or `-` where they may both
hold. Most of those are hard: other times, other precision, doubt, plans, more detail, another person of the name."""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    nature: str | None
    one: str
    other: str


_PAIRS = """
factual_conflict | John Doe traveled to St. Thomas on March 15, 2010. | John Doe not traveled to St. Thomas on March 15, 2010.
factual_conflict | John Doe traveled to St. Thomas on 2010-03-15. | John Doe did not travel to St. Thomas on March 15, 2010.
factual_conflict | Mary Smith never visited Tokyo. | Mary Smith visited Tokyo in 2015.
factual_conflict | Dr. Jane Smith signed the contract. | Jane Smith did not sign the contract.
factual_conflict | The committee approved the budget. | The committee rejected the budget.
factual_conflict | Alice Brown was born in 1980. | Alice Brown was born in 1982.
factual_conflict | Alice Brown was born on 3 May 1980. | Alice Brown was born on 5 May 1980.
factual_conflict | Alice Brown was born in Paris. | Alice Brown was born in London.
factual_conflict | Acme Corp was founded in 1995. | Acme Corp was founded in 2001.
factual_conflict | The bridge was built in 1932. | The bridge was built in 1956.
factual_conflict | The revenue in 2023 was 10 million dollars. | The revenue in 2023 was 14 million dollars.
factual_conflict | The capital of Australia is Canberra. | The capital of Australia is Sydney.
factual_conflict | The CEO of Acme is Alice Brown. | The CEO of Acme is Robert Stone.
factual_conflict | The package weighs 5 kg. | The package weighs 9 kg.
factual_conflict | The package weighs 5 kg. | The package weighs 4,200 grams.
factual_conflict | The ticket costs 500 baht. | The ticket costs 700 baht.
factual_conflict | Acme Corp has 50 employees. | Acme Corp has 80 employees.
factual_conflict | The door is open. | The door is closed.
factual_conflict | The patient is alive. | The patient is dead.
factual_conflict | The car was red. | The car was blue.
factual_conflict | Flight AC123 was cancelled. | Flight AC123 was not cancelled.
factual_conflict | AC123 departed JFK at 09:00. | AC123 departed JFK at 10:30.
factual_conflict | The summit began on 3 May 2024. | The summit began on 5 May 2024.
factual_conflict | The factory has no fire exits. | The factory has fire exits.
factual_conflict | The server is not running. | The server is running.
factual_conflict | Bob Stone owns the house. | Bob Stone does not own the house.
factual_conflict | The deadline is March 15. | The deadline is March 20.
factual_conflict | The meeting started at 9:00 am on 3 May 2024. | The meeting started at 10:00 am on 3 May 2024.
factual_conflict | Unemployment increased in 2022. | Unemployment decreased in 2022.
factual_conflict | The survey was published in 2019. | The survey was published in 2021.
factual_conflict | The trip lasted 3 days. | The trip lasted 6 days.
factual_conflict | The earthquake killed 120 people. | The earthquake killed 450 people.
factual_conflict | The tower measures 300 metres. | The tower measures 350 metres.
factual_conflict | Carlos Diaz died in 2001. | Carlos Diaz died in 2005.
factual_conflict | The author of the report is Emma Stone. | The author of the report is Liam Wong.
factual_conflict | The museum did not open in 2020. | The museum opened in June 2020.
factual_conflict | Nora was not at the party. | Nora was at the party.
factual_conflict | The invoice INV-2041 was paid. | The invoice INV-2041 was not paid.
factual_conflict | The test was positive. | The test was negative.
factual_conflict | The account is active. | The account is inactive.
factual_conflict | The contract was signed on 12 June 2021. | The contract was signed on 15 July 2021.
factual_conflict | Tom Hill is married. | Tom Hill is single.
factual_conflict | In 2022, exports rose to 40 million dollars. The deficit was 5 million dollars in 2022. | The deficit was 9 million dollars in 2022.
factual_conflict | France won the 2018 World Cup. | Croatia won the 2018 World Cup.
source_disagreement | Flight log reports AC123 departed JFK at 09:00. | ATC transcript states AC123 departed JFK at 09:40.
source_disagreement | According to the police, the earthquake killed 120 people. | According to the hospital, the earthquake killed 300 people.
source_disagreement | The ministry denied that the minister resigned. | Reuters reported that the minister resigned.
source_disagreement | The log shows that the door was open. | The guard said that the door was closed.
source_disagreement | According to the census, the town had 5,312 people in 2010. | According to the mayor, the town had 9,875 people in 2010.
source_disagreement | The auditor confirmed that invoice INV-2041 was paid. | The bank confirmed that invoice INV-2041 was not paid.
source_disagreement | The airline said that flight TG102 was cancelled. | The airport said that flight TG102 was not cancelled.
source_disagreement | The registry states that Acme Corp was founded in 1995. | The newspaper reported that Acme Corp was founded in 1999.
temporal_impossibility | John Doe was in Paris on 15 March 2010. | John Doe was in Tokyo on 15 March 2010.
temporal_impossibility | Mary Smith was in London at 09:00 on 2 June 2020. | Mary Smith was in Bangkok at 09:00 on 2 June 2020.
temporal_impossibility | Carlos Diaz died in 2001. | Carlos Diaz visited Rome in 2004.
temporal_impossibility | Emma Stone was born in 1990. | Emma Stone married Liam Wong in 1985.
temporal_impossibility | The project began on 5 May 2024. | The project ended on 1 April 2024.
temporal_impossibility | Paul Weber died on 3 January 1999. | Paul Weber attended the conference on 5 February 2000.
temporal_impossibility | Anna Lee was born in 1950. | Anna Lee died in 1940.
temporal_impossibility | Peter Novak stayed in Berlin on 4 July 2019. | Peter Novak stayed in Madrid on 4 July 2019.
logical_inconsistency | All flights were cancelled. | Flight AC123 was not cancelled.
logical_inconsistency | No flights departed on 3 May 2024. | Flight AC123 departed on 3 May 2024.
logical_inconsistency | Alice Brown is older than Robert Stone. | Robert Stone is older than Alice Brown.
logical_inconsistency | The north tower is taller than the south tower. | The south tower is taller than the north tower.
logical_inconsistency | The explosion happened before the alarm. | The alarm happened before the explosion.
factual_conflict | นายสมชาย ใจดี เดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553 | นายสมชาย ใจดี ไม่ได้เดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553
factual_conflict | สมชายลงนามในสัญญา | สมชายไม่ได้ลงนามในสัญญา
factual_conflict | นางสาวมาลีเกิดเมื่อปี 2520 | นางสาวมาลีเกิดเมื่อปี 2525
factual_conflict | นางสาวมาลีเกิดที่กรุงเทพ | นางสาวมาลีเกิดที่เชียงใหม่
factual_conflict | บริษัท เอบีซี จำกัด ก่อตั้งเมื่อปี 2538 | บริษัท เอบีซี จำกัด ก่อตั้งเมื่อปี 2544
factual_conflict | บริษัท เอบีซี จำกัด มีพนักงาน 50 คน | บริษัท เอบีซี จำกัด มีพนักงาน 80 คน
factual_conflict | เที่ยวบิน TG102 ถูกยกเลิก | เที่ยวบิน TG102 ไม่ได้ถูกยกเลิก
factual_conflict | การประชุมเริ่มเวลา 09.00 น. | การประชุมเริ่มเวลา 10.30 น.
factual_conflict | ราคาทองคำอยู่ที่ 40,000 บาท | ราคาทองคำอยู่ที่ 42,500 บาท
factual_conflict | นายวิชัยไม่เคยไปโตเกียว | นายวิชัยไปโตเกียวเมื่อปี 2558
factual_conflict | คณะกรรมการอนุมัติงบประมาณ | คณะกรรมการไม่ได้อนุมัติงบประมาณ
factual_conflict | เมืองหลวงของออสเตรเลียคือแคนเบอร์รา | เมืองหลวงของออสเตรเลียคือซิดนีย์
factual_conflict | สะพานสร้างเมื่อปี 2475 | สะพานสร้างเมื่อปี 2499
factual_conflict | นายประเสริฐอายุ 40 ปี | นายประเสริฐอายุ 47 ปี
factual_conflict | สมศักดิ์มีลูก 2 คน | สมศักดิ์มีลูก 5 คน
factual_conflict | พัสดุหนัก 5 กิโลกรัม | พัสดุหนัก 9 กิโลกรัม
factual_conflict | นายสมชายเสียชีวิตเมื่อวันที่ 3 มกราคม 2560 | นายสมชายเสียชีวิตเมื่อวันที่ 9 มกราคม 2560
source_disagreement | ตำรวจรายงานว่านายสมชายอยู่ที่บ้าน | พยานให้การว่านายสมชายไม่ได้อยู่ที่บ้าน
source_disagreement | กระทรวงยืนยันว่าเที่ยวบิน TG102 ถูกยกเลิก | สนามบินยืนยันว่าเที่ยวบิน TG102 ไม่ได้ถูกยกเลิก
source_disagreement | โรงพยาบาลรายงานว่าแผ่นดินไหวมีผู้เสียชีวิต 120 คน | ตำรวจรายงานว่าแผ่นดินไหวมีผู้เสียชีวิต 300 คน
temporal_impossibility | นายวิชัยอยู่ที่ปารีสเมื่อวันที่ 15 มีนาคม 2553 | นายวิชัยอยู่ที่โตเกียวเมื่อวันที่ 15 มีนาคม 2553
temporal_impossibility | นายประเสริฐเสียชีวิตเมื่อปี 2544 | นายประเสริฐเดินทางไปโรมเมื่อปี 2547
temporal_impossibility | โครงการเริ่มเมื่อวันที่ 5 พฤษภาคม 2567 | โครงการสิ้นสุดเมื่อวันที่ 1 เมษายน 2567
factual_conflict | สมชายเดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553 | Somchai did not travel to Chiang Mai on 15 March 2010.
- | John Doe traveled to St. Thomas on March 15, 2010. | John Doe traveled to St. Thomas on 2010-03-15.
- | John Doe traveled to St. Thomas on March 15, 2010. | John Doe traveled to St. Thomas according to customs on 2010-03-15.
- | John Doe traveled to St. Thomas on March 15, 2010. | John Doe traveled to St. Thomas on March 18, 2010.
- | John Doe traveled to St. Thomas on March 15, 2010. | Jane Doe did not travel to St. Thomas on March 15, 2010.
- | John Doe did not travel to St. Thomas on March 16, 2010. | John Doe traveled to St. Thomas in March 2010.
- | John Doe did not travel to St. Thomas by boat. | John Doe traveled to St. Thomas.
- | The project started in 2024. | The project started in 2024-05.
- | The project started in May 2024. | The project started on 3 May 2024.
- | Acme Corp has about 10 offices. | Acme Corp has 10.2 offices.
- | The package weighs about 5 kg. | The package weighs 5.2 kg.
- | The package weighs 5 kg. | The package weighs 5000 grams.
- | The revenue in 2023 was 10 million dollars. | The revenue in 2022 was 8 million dollars.
- | The revenue in 2023 was 10 million dollars. | The revenue in 2023 was 10.2 million dollars.
- | The revenue in 2023 was 10 million dollars. | The profit in 2023 was 2 million dollars.
- | The ticket costs 500 baht. | The ticket costs 15 dollars.
- | The trip takes at least 3 hours. | The trip takes 5 hours.
- | More than 100 people attended the concert. | 140 people attended the concert.
- | Alice Brown was born in 1980. | Alice Brown was born in Paris.
- | Alice Brown was born in Paris. | Alice Brown was born in France.
- | Alice Brown was born in 1980. | Alice Green was born in 1982.
- | Alice Brown bought a car. | Alice Brown bought a house.
- | Alice Brown bought 3 books. | Alice Brown bought 5 books.
- | Alice Brown met Robert Stone in 2010. | Alice Brown met Robert Stone in 2015.
- | Alice Brown visited Rome in 2010. | Alice Brown visited Paris in 2010.
- | Alice Brown visited Rome on 3 May 2010. | Alice Brown visited Paris on 3 May 2010.
- | The door may be open. | The door is closed.
- | The server will be closed tomorrow. | The server is open.
- | If the flight AC123 was cancelled, we go by train. | Flight AC123 was not cancelled.
- | Was flight AC123 cancelled? | Flight AC123 was not cancelled.
- | John Doe plans to sign the contract. | John Doe did not sign the contract.
- | John Doe has not yet signed the contract. | John Doe signed the contract.
- | Bob Stone no longer works at Acme. | Bob Stone works at Acme.
- | Bob Stone used to live in Paris. | Bob Stone lives in London.
- | [2025-03-01] Alice: The deadline is March 15. | [2025-03-18] Bob: The deadline is March 25.
- | [2025-03-01] Alice: The deadline is March 15. | [2025-03-17] Alice: March 20 is fine.
- | [2025-03-08] Bob: March 20 is more realistic. | [2025-03-09] Alice: The deadline remains March 15.
- | [2025-03-02] Carol: Scope concerns may slip the schedule. | [2025-03-22] Carol: Scope concerns were valid from week one.
- | [2024-01-05] Acme Corp has 50 employees. | [2025-01-05] Acme Corp has 80 employees.
- | The door was open. | The door is closed.
- | The office in Paris is open. | The office in London is closed.
- | AC123 departed JFK on 3 May 2024. | AC123 departed JFK on 4 May 2024.
- | AC123 departed JFK at 09:00 on 3 May 2024. | AC123 departed JFK at 10:00 on 4 May 2024.
- | AC123 departed JFK at 09:00. | AC999 departed JFK at 10:00.
- | AC123 departed JFK at 09:00. | AC123 arrived at LAX at 12:00.
- | AC999 was delayed. | AC123 departed JFK at 09:00.
- | The meeting started at 9:00 am on 3 May 2024. | The meeting started at 10:00 am on 10 May 2024.
- | The CEO of Acme is Alice Brown. | The CEO of Acme is Mrs. Brown.
- | The CEO of Acme was Alice Brown in 2010. | The CEO of Acme was Robert Stone in 2020.
- | The CEO of Acme is Alice Brown. | The CEO of Apex is Robert Stone.
- | Carlos Diaz died in 2001. | Carlos Diaz visited Rome in 1999.
- | Carlos Diaz died in 2001. | Carlos Diaz was honoured in Rome in 2004.
- | Emma Stone was born in 1990. | Emma Stone married Liam Wong in 2015.
- | The project began on 5 May 2024. | The project ended on 1 June 2024.
- | John Doe was in Paris on 15 March 2010. | John Doe was in France on 15 March 2010.
- | John Doe was in Paris on 15 March 2010. | John Doe was in Tokyo on 17 March 2010.
- | John Doe was in Paris in 2010. | John Doe was in Tokyo in 2010.
- | John Doe flew from Paris to Tokyo on 15 March 2010. | John Doe was in Paris on 15 March 2010.
- | John Doe was at the office at 09:00 on 2 June 2020. | John Doe was in Bangkok at 09:00 on 2 June 2020.
- | All flights were cancelled on 3 May 2024. | Flight AC123 was not cancelled on 4 May 2024.
- | Some flights were cancelled. | Flight AC123 was not cancelled.
- | All trains were cancelled. | Flight AC123 was not cancelled.
- | Alice Brown is older than Robert Stone. | Robert Stone is taller than Alice Brown.
- | Alice Brown is older than Robert Stone. | Robert Stone is older than Emma Stone.
- | The north tower is taller than the south tower. | The south tower is shorter than the north tower.
- | Carol likes tea. | Carol likes coffee.
- | Carol does not like tea. | Carol likes coffee.
- | Carol does not like tea. | Tom likes tea.
- | The committee did not approve the plan. | The board approved the plan.
- | The committee did not approve the second plan. | The committee approved the first plan.
- | The report was not published in 2019. | The report was published in 2021.
- | Signal Alpha repeatedly triggered service degradation. | Signal Beta repeatedly caused packet loss.
- | The soup is hot. | The tea is cold.
- | The car is red. | The car is fast.
- | The dress is red and white. | The dress is red and black.
- | The police said that the suspect may have left. | The witness said that the suspect did not leave.
- | Mary claims that John Doe stole the car. | John Doe did not steal the car.
- | It is not true that everyone agreed. | The team agreed.
- | He did not sign the contract. | John Doe signed the contract.
- | They won the match. | France lost the match.
- | France won the 2018 World Cup. | France won the 1998 World Cup.
- | France won the match. | Italy won the match.
- | The company reported revenue of 5 million dollars. | The company reported revenue of 7 million dollars.
- | The population was 5,000 in 1990. | The population was 9,000 in 2010.
- | The temperature was 20 degrees celsius on 3 May 2024. | The temperature was 31 degrees celsius on 4 May 2024.
- | Sales increased in 2021. | Sales decreased in 2022.
- | Sales increased. | Prices decreased.
- | Tom Hill was married in 2001. | Tom Hill is single.
- | The bridge is 300 metres long. | The bridge is 20 metres wide.
- | The house has 3 bedrooms. | The house has 2 bathrooms.
- | The summit began on 3 May 2024. | The summit ended on 5 May 2024.
- | The earthquake killed 120 people. | The earthquake injured 450 people.
- | The earthquake killed at least 120 people. | The earthquake killed 450 people.
- | Peter bought the tickets before the concert. | Peter bought the tickets after work.
- | The explosion happened before the alarm. | The alarm happened before the evacuation.
- | The server crashed because the disk was full. | The server crashed.
- | No one was hurt. | Three buildings were damaged.
- | The flight to Paris was cancelled. | The flight to London was not cancelled.
- | Invoice INV-2041 was paid. | Invoice INV-2042 was not paid.
- | The minister did not resign in 2019. | The minister resigned in 2021.
- | The vaccine is not available in Laos. | The vaccine is available in Thailand.
- | Dr. Smith treated the patient. | Nurse Smith did not treat the patient.
- | นายสมชาย ใจดี เดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553 | นายสมชาย ใจดี เดินทางไปเชียงใหม่เมื่อวันที่ 15 มี.ค. 2010
- | นายสมชาย ใจดี เดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553 | นายสมชาย ใจดี ไม่ได้เดินทางไปเชียงใหม่เมื่อวันที่ 16 มีนาคม 2553
- | นายสมชาย ใจดี เดินทางไปเชียงใหม่ | นายสมศักดิ์ ใจดี ไม่ได้เดินทางไปเชียงใหม่
- | นางสาวมาลีเกิดเมื่อปี 2520 | นางสาวมาลีเกิดเมื่อปี ค.ศ. 1977
- | นางสาวมาลีเกิดเมื่อปี 2520 | นางสาวมาลีเกิดเมื่อเดือนมีนาคม 2520
- | บริษัท เอบีซี จำกัด มีพนักงานประมาณ 50 คน | บริษัท เอบีซี จำกัด มีพนักงาน 52 คน
- | บริษัท เอบีซี จำกัด มีพนักงาน 50 คนเมื่อปี 2560 | บริษัท เอบีซี จำกัด มีพนักงาน 80 คนเมื่อปี 2565
- | สมชายยังไม่ได้ลงนามในสัญญา | สมชายลงนามในสัญญา
- | สมชายอาจไม่ได้ลงนามในสัญญา | สมชายลงนามในสัญญา
- | สมชายจะลงนามในสัญญา | สมชายไม่ได้ลงนามในสัญญา
- | ถ้าเที่ยวบิน TG102 ถูกยกเลิก เราจะไปรถไฟ | เที่ยวบิน TG102 ไม่ได้ถูกยกเลิก
- | เที่ยวบิน TG102 ถูกยกเลิกหรือไม่ | เที่ยวบิน TG102 ไม่ได้ถูกยกเลิก
- | เที่ยวบิน TG102 ถูกยกเลิก | เที่ยวบิน TG103 ไม่ได้ถูกยกเลิก
- | ราคาทองคำอยู่ที่ 40,000 บาท | ราคาเงินอยู่ที่ 500 บาท
- | [1 มีนาคม 2568] ราคาทองคำอยู่ที่ 40,000 บาท | [9 มีนาคม 2568] ราคาทองคำอยู่ที่ 42,500 บาท
- | สมหญิงซื้อรถ | สมหญิงซื้อบ้าน
- | สมหญิงชอบชา | สมหญิงไม่ชอบกาแฟ
- | นายวิชัยอยู่ที่กรุงเทพเมื่อวันที่ 15 มีนาคม 2553 | นายวิชัยอยู่ที่ไทยเมื่อวันที่ 15 มีนาคม 2553
- | นายวิชัยอยู่ที่ปารีสเมื่อปี 2553 | นายวิชัยอยู่ที่โตเกียวเมื่อปี 2553
- | นายประเสริฐเสียชีวิตเมื่อปี 2544 | นายประเสริฐเดินทางไปโรมเมื่อปี 2540
- | การประชุมเริ่มเวลา 09.00 น. | การประชุมสิ้นสุดเวลา 10.30 น.
- | พัสดุหนัก 5 กิโลกรัม | พัสดุหนัก 5,000 กรัม
- | โครงการเริ่มเมื่อปี 2567 | โครงการเริ่มเมื่อเดือนพฤษภาคม 2567
- | สมชายเดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553 | Somchai traveled to Chiang Mai on 15 March 2010.
- | นายสมชายเคยทำงานที่ธนาคาร | นายสมชายไม่ได้ทำงานที่ธนาคาร
- | ตำรวจสงสัยว่านายสมชายขโมยรถ | นายสมชายไม่ได้ขโมยรถ
- | เขาไม่ได้ลงนามในสัญญา | สมชายลงนามในสัญญา
- | คณะกรรมการไม่ได้อนุมัติงบประมาณปีหน้า | คณะกรรมการอนุมัติงบประมาณปีนี้
"""


# Written after the rules were, and not looked at while they were changed.
_UNSEEN = """
factual_conflict | The library closed in 2016. | The library did not close in 2016.
factual_conflict | Sofia Ruiz was born on 12 July 1991. | Sofia Ruiz was born on 30 July 1991.
factual_conflict | The lake has 14 islands. | The lake has 22 islands.
factual_conflict | Ivan Petrov never worked at Globex. | Ivan Petrov worked at Globex in 2012.
factual_conflict | The concert ended at 22:30. | The concert ended at 23:45.
factual_conflict | The manager of the hotel is Paul Weber. | The manager of the hotel is Julie Moreau.
factual_conflict | The bridge is closed. | The bridge is open.
factual_conflict | Rainfall in 2021 was 900 mm. | Rainfall in 2021 was 1,450 mm.
factual_conflict | Mark Evans did not attend the hearing on 4 May 2022. | Mark Evans attended the hearing on 4 May 2022.
factual_conflict | The vaccine was approved. | The vaccine was rejected.
source_disagreement | According to the fire brigade, the warehouse had 12 workers. | According to the owner, the warehouse had 30 workers.
source_disagreement | The witness said that Mark Evans left the house. | The neighbour said that Mark Evans did not leave the house.
temporal_impossibility | Olga Ivanova died in 1987. | Olga Ivanova signed the treaty in 1993.
temporal_impossibility | Hans Weber was in Vienna on 9 June 2018. | Hans Weber was in Lisbon on 9 June 2018.
logical_inconsistency | All witnesses were questioned. | Witness Brown was not questioned.
factual_conflict | ห้องสมุดเปิดเมื่อปี 2550 | ห้องสมุดไม่ได้เปิดเมื่อปี 2550
factual_conflict | นางสมศรีเกิดเมื่อวันที่ 5 พฤษภาคม 2515 | นางสมศรีเกิดเมื่อวันที่ 9 พฤษภาคม 2515
factual_conflict | โรงเรียนมีนักเรียน 300 คน | โรงเรียนมีนักเรียน 450 คน
source_disagreement | ผู้จัดการยืนยันว่านายวิชัยลาออก | เลขานุการยืนยันว่านายวิชัยไม่ได้ลาออก
temporal_impossibility | นายปรีชาเสียชีวิตเมื่อปี 2530 | นายปรีชาแต่งงานเมื่อปี 2535
- | The library closed in 2016. | The library closed at noon.
- | Sofia Ruiz was born in July 1991. | Sofia Ruiz was born on 12 July 1991.
- | The lake has 14 islands. | The lake has 22 beaches.
- | Ivan Petrov worked at Globex in 2012. | Ivan Petrov did not work at Globex in 2019.
- | The concert ended at 22:30. | The rehearsal ended at 23:45.
- | The manager of the hotel is Paul Weber. | The manager of the restaurant is Julie Moreau.
- | The old bridge is closed. | The new bridge is open.
- | Rainfall in 2021 was 900 mm. | Rainfall in 2020 was 1,450 mm.
- | Mark Evans did not attend the hearing on 4 May 2022. | Mark Evans attended the hearing on 11 May 2022.
- | The vaccine was probably approved. | The vaccine was rejected.
- | According to the fire brigade, about 30 workers were inside. | According to the owner, 32 workers were inside.
- | Olga Ivanova died in 1987. | Olga Ivanova was buried in 1987.
- | Olga Ivanova died in 1987. | Olga Petrova signed the treaty in 1993.
- | Hans Weber was in Vienna in June 2018. | Hans Weber was in Lisbon in June 2018.
- | Most witnesses were questioned. | Witness Brown was not questioned.
- | Emma bought apples. | Emma did not buy pears.
- | The plan was not approved in January 2020. | The plan was approved in March 2020.
- | The shop sells bread. | The shop does not sell wine.
- | Tom is faster than Jim. | Jim is stronger than Tom.
- | The film lasts 2 hours. | The film lasts 120 minutes.
- | The house is white. | The roof is red.
- | Anna lives in Berlin. | Anna worked in Munich.
- | The team lost the first match. | The team won the second match.
- | Nobody complained on Monday. | Peter complained on Tuesday.
- | The bank denied the rumour. | The bank closed two branches.
- | The river flooded because of heavy rain. | The river did not flood in 2019.
- | Could the library be closed? | The library is open.
- | The library will close in 2030. | The library is open.
- | ห้องสมุดเปิดเมื่อปี 2550 | ห้องสมุดไม่ได้เปิดเมื่อปี 2563
- | โรงเรียนมีนักเรียน 300 คน | โรงเรียนมีครู 45 คน
- | นายวิชัยลาออกจากบริษัท | นางวิไลไม่ได้ลาออกจากบริษัท
- | นายปรีชาเสียชีวิตเมื่อปี 2530 | นายปรีชาแต่งงานเมื่อปี 2520
- | ผู้จัดการอาจลาออก | ผู้จัดการไม่ได้ลาออก
- | ร้านขายกาแฟ | ร้านไม่ขายเหล้า
- | ฝนตกหนักที่เชียงใหม่ | ฝนไม่ตกที่ภูเก็ต
- | เธอไม่ได้มาประชุม | สมศรีมาประชุม
"""


def labelled_pairs() -> list[Pair]:
    return _read(_PAIRS)


def unseen_pairs() -> list[Pair]:
    return _read(_UNSEEN)


def _read(lines: str) -> list[Pair]:
    rows = [[part.strip() for part in line.split(" | ")] for line in lines.strip().splitlines()]
    return [Pair(None if nature == "-" else nature, one, other) for nature, one, other in rows]

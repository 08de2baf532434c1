BEGIN TRANSACTION;
CREATE TABLE budget (
    name TEXT PRIMARY KEY,
    tokens INTEGER NOT NULL,                   -- thousandths of a request
    counted_at INTEGER NOT NULL
) STRICT;
CREATE TABLE clock (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    turn TEXT NOT NULL,                        -- the seat's token of what it is asked
    since INTEGER NOT NULL,                    -- seconds since 1970: when `left` was true
    left INTEGER NOT NULL,                     -- seconds to decide in, the reserve among them
    reserve INTEGER NOT NULL,                  -- of these, what is kept for later turns if not used
    nudge INTEGER NOT NULL,                    -- seconds left at which to nudge next; 0: no more
    ends INTEGER,                              -- when it runs out as things are; NULL: it stands
    due INTEGER,                               -- when to look next
    stage INTEGER NOT NULL,                    -- 0 as agreed, 1 extended, 2 the table votes
    called INTEGER NOT NULL,                   -- how often they were called in this turn beside the first time
    away INTEGER, put_off INTEGER NOT NULL DEFAULT 0, hours TEXT,                              -- since when a computer plays for them; NULL: they play
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE duty (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL,
    epoch INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE entrant (
    season INTEGER NOT NULL REFERENCES season (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                   -- from 0, in the order in which they joined
    user INTEGER REFERENCES person (user),     -- NULL: that user's data was deleted
    name TEXT NOT NULL, removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (season, number),
    UNIQUE (season, user)
) STRICT, WITHOUT ROWID;
CREATE TABLE "farewell" (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL, said INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match, message)
) STRICT;
CREATE TABLE former (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    removed INTEGER NOT NULL, hints INTEGER NOT NULL DEFAULT 0, hinted TEXT,                  -- 1: by a vote, and then they do not come back
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;
CREATE TABLE gateway_process (
    id TEXT PRIMARY KEY,                       -- drawn at its start
    total INTEGER NOT NULL,                    -- the number of shards that it knows
    until INTEGER NOT NULL,                    -- later it counts as dead
    leaving INTEGER NOT NULL DEFAULT 0         -- 1: it hands its shards over and takes none
) STRICT;
CREATE TABLE guest (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('invited', 'accepted', 'declined', 'removed')),
    said INTEGER,                              -- message that invited them; -1: being sent; 0: it could not be; NULL: none
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;
CREATE TABLE hours (
    user INTEGER PRIMARY KEY REFERENCES person (user),
    zone TEXT NOT NULL,                        -- a name of the IANA's
    quiet_from INTEGER,                        -- minutes of the day; both or neither
    quiet_to INTEGER,
    days_off TEXT NOT NULL,                    -- JSON: days of the week, Monday 0
    holidays TEXT NOT NULL                     -- JSON: pairs of first and last day, ISO
) STRICT;
CREATE TABLE identify (
    bucket INTEGER PRIMARY KEY,                -- Discord counts the shards of a bucket together
    free_at INTEGER NOT NULL                   -- when the next shard of it may identify
) STRICT;
CREATE TABLE invalid_requests (
    minute INTEGER NOT NULL,                   -- since 1970
    process TEXT NOT NULL,                     -- so two processes never write to one row
    count INTEGER NOT NULL,
    PRIMARY KEY (minute, process)
) STRICT, WITHOUT ROWID;
CREATE TABLE invitation (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,                  -- 0: a send whose answer never came may have made it
    since INTEGER NOT NULL,                    -- it was not sent before this instant, in seconds since 1970
    PRIMARY KEY (match, channel, message)
) STRICT, WITHOUT ROWID;
CREATE TABLE lease (
    match INTEGER PRIMARY KEY REFERENCES match (id) ON DELETE CASCADE,
    holder TEXT NOT NULL,             -- the process
    until INTEGER NOT NULL,           -- 0: given back
    epoch INTEGER NOT NULL,           -- counts the processes that have held it
    done INTEGER NOT NULL DEFAULT 0,  -- the version of the match at which its holder had nothing left to do
    wake INTEGER NOT NULL DEFAULT 0   -- when to look at the match again; 0: once its version is another
) STRICT, WITHOUT ROWID;
CREATE TABLE match (
    id INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice: buttons name it
    game TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'playing', 'over', 'cancelled', 'stopped')),
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,                  -- where it was opened
    place INTEGER NOT NULL,                    -- where its table is: that channel, or a thread of its own
    host INTEGER NOT NULL,
    locale TEXT NOT NULL,
    options TEXT NOT NULL,                     -- what the lobby chose, JSON; with the deck table from the start on
    wanted INTEGER,                            -- players to wait for; NULL: as many as come
    own_thread INTEGER NOT NULL DEFAULT 0,
    secret TEXT NOT NULL,                      -- 64 hexadecimal digits; the seed
    state TEXT,                                -- snapshot, JSON; from the start on
    version INTEGER NOT NULL DEFAULT 0,        -- grows with every change that is to be shown
    moves INTEGER NOT NULL DEFAULT 0,          -- length of the log
    undone INTEGER NOT NULL DEFAULT 0,         -- how many moves of the log have been taken back
    opened_at INTEGER NOT NULL,                -- seconds since 1970
    started_at INTEGER,
    turn_since INTEGER,
    ended_at INTEGER
, paused_at INTEGER, previous INTEGER REFERENCES match (id) ON DELETE SET NULL, touched_at INTEGER NOT NULL DEFAULT 0, rests_since INTEGER, clock TEXT NOT NULL DEFAULT 'none', absent TEXT NOT NULL DEFAULT 'computer', alone TEXT NOT NULL DEFAULT '', chain BLOB, rules INTEGER NOT NULL DEFAULT 1, doubt TEXT CHECK (doubt IN ('unchecked', 'behind')), restores INTEGER NOT NULL DEFAULT 0, starts_at INTEGER, starts_soon INTEGER NOT NULL DEFAULT 0, missed_start TEXT NOT NULL DEFAULT '', nudged_at INTEGER, closed INTEGER NOT NULL DEFAULT 0, level TEXT NOT NULL DEFAULT 'friend', hints INTEGER NOT NULL DEFAULT 1, lesson INTEGER NOT NULL DEFAULT 0, rated INTEGER NOT NULL DEFAULT 0, duplicate INTEGER, held INTEGER NOT NULL DEFAULT 0, server_locale TEXT, clock_kept_until INTEGER NOT NULL DEFAULT 0, uncounted TEXT, dissolved INTEGER NOT NULL DEFAULT 0, season INTEGER NOT NULL DEFAULT 0, parent INTEGER, credited INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "match" VALUES(1,'full_circle','playing',1,10,10,101,'en','{"deck":{}}',NULL,0,'0000000000000000000000000000000000000000000000000000000000000001','{"seats":2,"options":{"target":50},"seed":"0000000000000000000000000000000000000000000000000000000000000001","ply":12,"deals":1,"round":1,"play_off":false,"players":[0,1],"starter":0,"mover":1,"phase":"turn","hands":[["Y","OB","O","PO"],["O","OP","P"]],"drawn":null,"pile":["B","GB","RO","YO","W","RB","YP","PB","YR","W","RP","W","OG","OR","G","W","BP","P","GY","R","B","RG","GO","PR","GR","OY","W","PY","GP","YG","Y","PG"],"sunk":0,"circle":[["G","W:G","R"],["BY","RY"],["YB"],["BG","BR","BO"]],"marker":"TR","trap":null,"barred":[0,0],"passes":0,"known":[],"old":[[],[]],"totals":[0,0],"streak":null,"last_round":null,"outcome":null,"last":[0,"play RY TR"]}',14,12,0,1000,1001,1002,NULL,NULL,NULL,0,NULL,'none','computer','',X'47FCA80655401D41F28B358D50508C1CBF8CCDEF12F217B8893CF74D9DD9398C',1,NULL,0,NULL,0,'',NULL,0,'friend',1,0,0,NULL,0,NULL,0,NULL,0,0,NULL,0);
INSERT INTO "match" VALUES(2,'full_sun','playing',1,10,10,101,'en','{"deck":{"rain":{"number":0,"pips":0},"sun":{"number":18,"pips":5}}}',NULL,0,'0000000000000000000000000000000000000000000000000000000000000002','{"seats":3,"options":{"target":3},"seed":"0000000000000000000000000000000000000000000000000000000000000002","deck":{"rain":{"number":0,"pips":0},"sun":{"number":18,"pips":5}},"ply":12,"round":1,"points":[0,0,0],"hands":[["B7","R5","R7","L2"],["S3","S4","L6","L7"],["B5","R6","L4","L5"]],"fan":["B2","B3","R3","S6","L1","L3"],"leader":0,"lays":[],"tricks":[{"lays":[[0,"Rain"],[1,"Sun"],[2,"B1"]],"winner":1},{"lays":[[1,"S1"],[2,"S5"],[0,"S7"]],"winner":0},{"lays":[[0,"R1"],[1,"R4"],[2,"R2"]],"winner":1},{"lays":[[1,"S2"],[2,"B4"],[0,"B6"]],"winner":0}],"last_trick":null,"last_round":null,"outcome":null}',14,12,0,1000,1001,1002,NULL,NULL,NULL,0,NULL,'none','computer','',X'28E06378053C0EB92534EDC1C4BCA7068B31A08102535C1963229A84E2EC5CC5',1,NULL,0,NULL,0,'',NULL,0,'friend',1,0,0,NULL,0,NULL,0,NULL,0,0,NULL,0);
INSERT INTO "match" VALUES(3,'photosynthesis','playing',1,10,10,101,'en','{"deck":{}}',NULL,0,'0000000000000000000000000000000000000000000000000000000000000003','{"seats":2,"options":{"revolutions":3,"shade":false},"seed":"0000000000000000000000000000000000000000000000000000000000000003","ply":11,"round":4,"first":1,"mover":0,"board":{"A1":[0,1],"A3":[1,1],"B5":[0,1],"C1":[1,1]},"light":[8,8],"hands":[[2,2,1,0],[2,2,1,0]],"player_boards":[[4,4,3,2],[4,4,3,2]],"piles":[[14,14,13,13,13,12,12,12,12],[17,16,16,14,14,13,13],[19,18,18,17,17],[]],"tokens":[[],[]],"turn":[],"last_turn":{"seat":1,"moves":["end"]},"sunlight":{"round":4,"sun":3,"earned":{"A1":1,"A3":1,"B5":1,"C1":1},"gained":[2,2],"lost":[0,0]},"outcome":null}',15,12,1,1000,1001,1002,NULL,NULL,NULL,0,NULL,'none','computer','',X'BD69871848DFF6BA863E9C1270C786716F558AFD15DCE9A401585117BAE82E2C',1,NULL,0,NULL,0,'',NULL,0,'friend',1,0,0,NULL,0,NULL,0,NULL,0,0,NULL,0);
INSERT INTO "match" VALUES(4,'sea_change','playing',1,10,10,101,'en','{"deck":{"points":{"1":-1,"2":-1,"3":-1,"4":0,"5":0,"6":0,"7":0,"8":-4,"9":2,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1},"zero_points":5}}',NULL,0,'0000000000000000000000000000000000000000000000000000000000000004','{"seats":2,"options":{"target":3,"teams":"none","open_scores":false},"deck":{"points":{"1":-1,"2":-1,"3":-1,"4":0,"5":0,"6":0,"7":0,"8":-4,"9":2,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1},"zero_points":5},"seed":"0000000000000000000000000000000000000000000000000000000000000004","ply":12,"deals":2,"suits":"RPY","round":1,"dealer":0,"leader":0,"hands":[["R6","R7","R8","R9","P7","P10","P11","P12","Y8"],["R4","R10","R11","R12","P8","P9","Y9","Y10","Y12"]],"may_hold":[[10,10,10,10,10],[10,10,10,10,10]],"pile":[],"lays":[],"trump":"R","tricks_won":[5,1],"captured":[["R0","R5","P4","P0","Y4","Y0","Y7","Y11","P6","P5"],["Y5","Y6"]],"victory_points":[0,0],"last_trick":{"lays":[[0,"P6"],[1,"P5"]],"trump":"R","winner":0},"last_round":null,"outcome":null}',14,12,0,1000,1001,1002,NULL,NULL,NULL,0,NULL,'none','computer','',X'235E2DE155164250F48121FD819E9070B50738F4002C9144B551BB799B54E76C',1,NULL,0,NULL,0,'',NULL,0,'friend',1,0,0,NULL,0,NULL,0,NULL,0,0,NULL,0);
INSERT INTO "match" VALUES(5,'siege_of_sunfall','playing',1,10,10,101,'en','{"deck":{"strengths":{"swords":[2,3,3,4,4,5,5,6,6,7,8,9,10],"helmet":[2,3,3,4,4,5,5,6,6,7,8,9,10],"bow":[2,3,3,4,4,5,5,6,6,7,8,9,10]},"boost":3,"gold":3,"armies":3,"crown":3}}',NULL,0,'0000000000000000000000000000000000000000000000000000000000000005','{"seats":3,"options":{},"deck":{"strengths":{"swords":[2,3,3,4,4,5,5,6,6,7,8,9,10],"helmet":[2,3,3,4,4,5,5,6,6,7,8,9,10],"bow":[2,3,3,4,4,5,5,6,6,7,8,9,10]},"boost":3,"gold":3,"armies":3,"crown":3},"seed":"0000000000000000000000000000000000000000000000000000000000000005","ply":12,"deals":2,"phase":"pledge","round":1,"card_number":4,"card":"armies","pile":["bow 3","end","helmet 6","helmet 4","bow 10"],"undealt":["helmet 5","helmet 3","swords 2","bow 8","armies","helmet 3","swords 3","swords 6","swords 5","swords 4","bow 5","crown","bow 5","helmet 9","swords 3","armies","helmet 10","bow 3","crown","boost","bow 9","boost","bow 4","swords 8","helmet 4","swords 10","helmet 5","bow 6","gold","swords 6","bow 7","boost","bow 2","swords 4","bow 4","helmet 8","bow 6","gold","gold","swords 7","helmet 2","helmet 6","crown"],"discard":[],"skipped":0,"coins":[4,4,4],"armies":[0,0,0],"held":[[],["swords 5","helmet 7","swords 9"],[]],"alive":[true,true,true],"king":0,"sealed":[null,null,null],"seals":[0,0,0],"phases":6,"award_to":[],"open_reveal":null,"last_reveal":{"card":"swords 9","pledges":[3,3,3],"boosts":[0,0,0],"total":9,"repelled":true,"eliminated":[],"tied":[0,1,2],"taker":1,"crown_to":null},"last_round":null,"outcome":null}',14,12,0,1000,1001,1002,NULL,NULL,NULL,0,NULL,'none','computer','',X'86DD87C3BB7FF7A4E1A38709FDC3C4890EE24FA1FEEE823BDB468CDCDFDA7097',1,NULL,0,NULL,0,'',NULL,0,'friend',1,0,0,NULL,0,NULL,0,NULL,0,0,NULL,0);
CREATE TABLE move (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    turn TEXT NOT NULL,                        -- the seat's token when it was made
    text TEXT NOT NULL,
    user INTEGER,                              -- NULL: a computer
    undone_at INTEGER, link BLOB, computer TEXT, took INTEGER,                         -- length of the log when it was taken back; NULL: it stands
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "move" VALUES(1,0,0,'0','draw',101,NULL,X'301376B67424567608D37ABFF680037383F88062C9D9DD0DBC858D068E6A46DF',NULL,NULL);
INSERT INTO "move" VALUES(1,1,1,'1','draw',102,NULL,X'9FDE9F1A4855D239F61DEB68AE192F668DFA0C5CF075ED33473BA206B035DF2C',NULL,NULL);
INSERT INTO "move" VALUES(1,2,1,'2','play W:G TL',102,NULL,X'E0ABD1B6F57739BED19285C2B93DFCEB82DBDBD1F7F28904A17587547AB87B23',NULL,NULL);
INSERT INTO "move" VALUES(1,3,0,'3','draw',101,NULL,X'301537344EFA3ADA957D5782AB00C1C4DB4EAF084BE8A74F69BCFEBA6AF3FF34',NULL,NULL);
INSERT INTO "move" VALUES(1,4,0,'4','play BG BL',101,NULL,X'AB16B7C13FC4A4805B6B50D832EB52FFED7E8E15AB8339468EB632BF038740D0',NULL,NULL);
INSERT INTO "move" VALUES(1,5,1,'5','play YB BR',102,NULL,X'6C2C2AB22EF7C586526EC634CDB8B2439C228F2CFF4E2CEB4C05F55359C2DD6B',NULL,NULL);
INSERT INTO "move" VALUES(1,6,0,'6','play BR BL',101,NULL,X'4E84EC39FE3FF57684404DE592DED1366FF83733A98C3E53B0E3B253AE5AECA9',NULL,NULL);
INSERT INTO "move" VALUES(1,7,1,'7','play R TL',102,NULL,X'E531C6CC5235CD76C81F43C8E6FA3311F91C67D0096435082F18B23893B83F0E',NULL,NULL);
INSERT INTO "move" VALUES(1,8,0,'8','play BY TR',101,NULL,X'0267C56A436739B538B9BEEB2A7B40B2724F25C80F29915B256E0BD65BF86CB5',NULL,NULL);
INSERT INTO "move" VALUES(1,9,1,'9','play BO BL',102,NULL,X'1261DB25B89DA7BC771F2AF2828487F4043E7C4C10A6E38ED6F4F724872A1942',NULL,NULL);
INSERT INTO "move" VALUES(1,10,0,'10','play RY TR',101,NULL,X'907DE6788B90AA4B4F7C1633DA26322095DDBBFFAB9E9249578E8F3BE0CD8473',NULL,NULL);
INSERT INTO "move" VALUES(1,11,0,'11','stop',101,NULL,X'47FCA80655401D41F28B358D50508C1CBF8CCDEF12F217B8893CF74D9DD9398C',NULL,NULL);
INSERT INTO "move" VALUES(2,0,0,'1.1','play Rain',101,NULL,X'B50DD32751930472836FFC43707570D8AAE086D5EBA4FE056454BBBA6167FC9B',NULL,NULL);
INSERT INTO "move" VALUES(2,1,1,'1.1','play Sun',102,NULL,X'4EED4D527EE0E26F18474872ABF825F06BFED9EC543E7E8F5913A32B9DD2827F',NULL,NULL);
INSERT INTO "move" VALUES(2,2,2,'1.1','play B1',103,NULL,X'C4EB9C26FC519DDBD77EAE210DB26F3E110EA5AAB4CAE0C341137A5EA8C7D5C8',NULL,NULL);
INSERT INTO "move" VALUES(2,3,1,'1.2','play S1',102,NULL,X'E7F216D4D91400E005A786324B8326698902C1753D2DED6368D85030B07D4B7C',NULL,NULL);
INSERT INTO "move" VALUES(2,4,2,'1.2','play S5',103,NULL,X'045604D56C26F325389808D3786AB4FBAAC3CF7109D05217B755C95CF67A9E19',NULL,NULL);
INSERT INTO "move" VALUES(2,5,0,'1.2','play S7',101,NULL,X'24AAC8D8638DD4476FD872866413B4DE1B7AEA82AA79DA45258BB624F1EEC687',NULL,NULL);
INSERT INTO "move" VALUES(2,6,0,'1.3','play R1',101,NULL,X'08FF6708DAA27730D17412A702D444043C9D51A4C7C83D32942920BE7586851E',NULL,NULL);
INSERT INTO "move" VALUES(2,7,1,'1.3','play R4',102,NULL,X'E44616D0C130114D8FC482C13FD1310471F7B416695299DD0BE6E130524F4B93',NULL,NULL);
INSERT INTO "move" VALUES(2,8,2,'1.3','play R2',103,NULL,X'982C4EDC21B4BB0BDA9831397A6A8FF3B9E34901ADF0B64C361ACBE3E3D9C368',NULL,NULL);
INSERT INTO "move" VALUES(2,9,1,'1.4','play S2',102,NULL,X'2738770C9CBCE9A662C26FC9A8E4AA94A4F8FDE5B09409C920216D1FAA2C3236',NULL,NULL);
INSERT INTO "move" VALUES(2,10,2,'1.4','play B4',103,NULL,X'D9C6EF10B4884DA0F225D2A775857D55C5B6FCC241173D526107E0FD02B217EC',NULL,NULL);
INSERT INTO "move" VALUES(2,11,0,'1.4','play B6',101,NULL,X'28E06378053C0EB92534EDC1C4BCA7068B31A08102535C1963229A84E2EC5CC5',NULL,NULL);
INSERT INTO "move" VALUES(3,0,0,'0.0','place A1',101,NULL,X'A8CA27E83802B21A3A4E380141348361F5C63D199BE3BC0F0E43073A76560C59',NULL,NULL);
INSERT INTO "move" VALUES(3,1,1,'0.0','place A3',102,NULL,X'AAF9FE35C72136975CB50E1F7D1E435B140C056117778433027596D8F1B06232',NULL,NULL);
INSERT INTO "move" VALUES(3,2,0,'0.1','place B5',101,NULL,X'F2AF793720DFBC75FEDD4F8AF377097A3112C000A3B7A5F45886932BA1D8E759',NULL,NULL);
INSERT INTO "move" VALUES(3,3,1,'0.1','place C1',102,NULL,X'56163F7A3A69E2468B018CB91E377B07CE638B380A2CB4F6CB53A897F071C189',NULL,NULL);
INSERT INTO "move" VALUES(3,4,0,'1.0','grow A1',101,5,X'DBA4023D620CE17C7388C628C3B14D63935A50C04B0D4E5F6E253AA8ABB6BE7E',NULL,NULL);
INSERT INTO "move" VALUES(3,5,0,'1.0-1','end',101,NULL,X'67BA0B1129D6C03CB7FB1DCE09167F8BF2254144AEBADFB02A8C66E2CD9E49A7',NULL,NULL);
INSERT INTO "move" VALUES(3,6,1,'1.0-1','end',102,NULL,X'1845448F1E92A26F0B975892BAB9DA0C3000DE311FF3BD5FB295D9A44BEBE1CF',NULL,NULL);
INSERT INTO "move" VALUES(3,7,1,'2.0-1','end',102,NULL,X'C3B47F4005DC45371F6E64A9B8EB78E1BDDC22598B568F0B524875FD0611CBE4',NULL,NULL);
INSERT INTO "move" VALUES(3,8,0,'2.0-1','end',101,NULL,X'11AE322E374824959071077194226298D45C3C5AB1496087145BEDDB1E03097A',NULL,NULL);
INSERT INTO "move" VALUES(3,9,0,'3.0-1','end',101,NULL,X'88CDD332EA0E17BBE1606A6C12348404B168B1364A31B2921F808D5241846FC9',NULL,NULL);
INSERT INTO "move" VALUES(3,10,1,'3.0-1','end',102,NULL,X'4F6188AB3818653DC4B8608D9C88D368A5BB0510AE13E2837C1C5B52F28EF9BD',NULL,NULL);
INSERT INTO "move" VALUES(3,11,1,'4.0-1','end',102,NULL,X'BD69871848DFF6BA863E9C1270C786716F558AFD15DCE9A401585117BAE82E2C',NULL,NULL);
INSERT INTO "move" VALUES(4,0,1,'1.1','play R0',102,NULL,X'CB667EE6D74DCB876E424274D1BC5C5703FE3395A268C1701A375546140DDF58',NULL,NULL);
INSERT INTO "move" VALUES(4,1,0,'1.1','play R5',101,NULL,X'77373CE72650F57DCAFB4897AA2064EB54565A753511F3902A9DFD1ACAA429DD',NULL,NULL);
INSERT INTO "move" VALUES(4,2,0,'1.2','play P4',101,NULL,X'6DFEF49B37D1994DE9CDE2BAECE3DB0CCAB993E42E2763B7C286BBF01A8D1913',NULL,NULL);
INSERT INTO "move" VALUES(4,3,1,'1.2','play P0',102,NULL,X'285247D7202CC70A7FCD4DDDF3385B84994A527183D01DCA5D27910614691BCB',NULL,NULL);
INSERT INTO "move" VALUES(4,4,0,'1.3','play Y4',101,NULL,X'7AE4CA74832E54DCC08F6C156A0292B9D8A6BE78516F54CC302AF48BB3447C17',NULL,NULL);
INSERT INTO "move" VALUES(4,5,1,'1.3','play Y0',102,NULL,X'E5FFA8664C93A6700A41709227CEC8C8BCDA732E2A42799810FFBA77E142415D',NULL,NULL);
INSERT INTO "move" VALUES(4,6,0,'1.4','play Y5',101,NULL,X'9C497D9BA25A08D7560E78252EFAFD0120B2FC170F63783EBA5E7A1AC3C541F8',NULL,NULL);
INSERT INTO "move" VALUES(4,7,1,'1.4','play Y6',102,NULL,X'A789B09297AF939EC3DAF4EB2581354EC14960F4D5AA8C58F1520C03EC580BE9',NULL,NULL);
INSERT INTO "move" VALUES(4,8,1,'1.5','play Y7',102,NULL,X'4844613E9B5F2E86FD861D1648A7528AEDDF2BB3382ADBFC830FAFFB962C6378',NULL,NULL);
INSERT INTO "move" VALUES(4,9,0,'1.5','play Y11',101,NULL,X'C2C212F8235A269E8C096B94B87890F3A435FB2F7FFEAFCA86CC1F58209CCEF7',NULL,NULL);
INSERT INTO "move" VALUES(4,10,0,'1.6','play P6',101,NULL,X'6EB3E5BF38A6BEE4C5DD00DC309D90796A672E8CF88B65905A4913C971B7595B',NULL,NULL);
INSERT INTO "move" VALUES(4,11,1,'1.6','play P5',102,NULL,X'235E2DE155164250F48121FD819E9070B50738F4002C9144B551BB799B54E76C',NULL,NULL);
INSERT INTO "move" VALUES(5,0,0,'0.0','pledge 2',101,NULL,X'DCBD94DD612E896817960BE04B252D24A43D572237024D67DE3FEE8BA45C34FA',NULL,NULL);
INSERT INTO "move" VALUES(5,1,1,'0.0','pledge 2',102,NULL,X'55DB36BB019C65953FBA1A3248F665022BA20979AC2098DC5605CECCFD4FD585',NULL,NULL);
INSERT INTO "move" VALUES(5,2,2,'0.0','pledge 2',103,NULL,X'1AB93E392C51D82814DBCA3D2C999A93B538FD9EE42C51958197EA38EB0328C6',NULL,NULL);
INSERT INTO "move" VALUES(5,3,0,'1.0','award 1',101,NULL,X'89BB954CC381B9D85D399F8F211AB44F7607BA404F3AF0F64486FDB5969DF11A',NULL,NULL);
INSERT INTO "move" VALUES(5,4,0,'2.0','pledge 3',101,NULL,X'318CBF9A8C7B8CD946517869BC44D010811E45F6FA44767A6645F9375E713FBA',NULL,NULL);
INSERT INTO "move" VALUES(5,5,1,'2.0','pledge 3',102,NULL,X'29DB414587911BAB16C683815013598F54FBF58B1ADB16CFABCBBAB6B1C9C7CB',NULL,NULL);
INSERT INTO "move" VALUES(5,6,2,'2.0','pledge 3',103,NULL,X'AF3BC88BEE0AEA960B7CB0D7E4C3C6FF0D50ED31209F664BD57A457EFBE96C3D',NULL,NULL);
INSERT INTO "move" VALUES(5,7,0,'3.0','award 1',101,NULL,X'9433E2E8DEDB6A2552BC40ABDE979070838481A8D9FC4D9776646526C2191ED6',NULL,NULL);
INSERT INTO "move" VALUES(5,8,0,'4.0','pledge 3',101,NULL,X'AD6628349A9836FF1165FB2A540C8C6E1CDFD45E328EA0403180B7986B77520D',NULL,NULL);
INSERT INTO "move" VALUES(5,9,1,'4.0','pledge 3',102,NULL,X'BB4BE27D5ECC693106D01C3B6BE9165EC5FAC7EB9B14F2EA2CFB27AC380A72D6',NULL,NULL);
INSERT INTO "move" VALUES(5,10,2,'4.0','pledge 3',103,NULL,X'B1ABE0A07308A30062D6C412C5642B81F69DB88A197E9196EED703189667C726',NULL,NULL);
INSERT INTO "move" VALUES(5,11,0,'5.0','award 1',101,NULL,X'86DD87C3BB7FF7A4E1A38709FDC3C4890EE24FA1FEEE823BDB468CDCDFDA7097',NULL,NULL);
CREATE TABLE old_table (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,                  -- 0: one may have been sent there, and its id is not known
    since INTEGER NOT NULL,                    -- seconds since 1970: it was not sent before
    named INTEGER NOT NULL DEFAULT 0,          -- where it says that the table is; 0: it may still show the table
    PRIMARY KEY (match, channel, message)
) STRICT, WITHOUT ROWID;
CREATE TABLE person (
    user INTEGER PRIMARY KEY,
    name TEXT NOT NULL,              -- as last seen, for pictures drawn after a restart
    dm INTEGER,                      -- channel of direct messages, once opened
    dm_works INTEGER,                -- 1 yes, 0 refused; NULL not tried
    wants_text INTEGER NOT NULL DEFAULT 0      -- a transcript with each picture
, locale TEXT, ping TEXT NOT NULL DEFAULT 'dm' CHECK (ping IN ('dm', 'mention', 'both', 'none')), digest_hours INTEGER NOT NULL DEFAULT 0, digest_due INTEGER, digest_message INTEGER, seen_at INTEGER NOT NULL DEFAULT 0, wants_help INTEGER NOT NULL DEFAULT 1, pictures TEXT NOT NULL DEFAULT '', shows_history INTEGER, dm_refused INTEGER NOT NULL DEFAULT 0, digest_sending TEXT) STRICT;
INSERT INTO "person" VALUES(101,'Ann',NULL,NULL,0,NULL,'dm',0,NULL,NULL,0,1,'',NULL,0,NULL);
INSERT INTO "person" VALUES(102,'Ben',NULL,NULL,0,NULL,'dm',0,NULL,NULL,0,1,'',NULL,0,NULL);
INSERT INTO "person" VALUES(103,'Cleo',NULL,NULL,0,NULL,'dm',0,NULL,NULL,0,1,'',NULL,0,NULL);
INSERT INTO "person" VALUES(104,'Dan',NULL,NULL,0,NULL,'dm',0,NULL,NULL,0,1,'',NULL,0,NULL);
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    user INTEGER UNIQUE                        -- NULL: that user's data was deleted
) STRICT;
CREATE TABLE portrait (
    user INTEGER PRIMARY KEY REFERENCES person (user) ON DELETE CASCADE,
    hash TEXT NOT NULL,                        -- Discord's name of the avatar
    face BLOB NOT NULL
) STRICT;
CREATE TABLE post (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,                           -- NULL: not sent yet, or gone
    shown INTEGER NOT NULL DEFAULT 0,          -- version of the match that it shows
    digest TEXT NOT NULL DEFAULT '',           -- of what it says: equal content is not sent again
    pinged TEXT NOT NULL DEFAULT '',           -- the turn that it pinged for
    ping INTEGER, user INTEGER, mentioned TEXT NOT NULL DEFAULT '', reminded INTEGER, revision INTEGER NOT NULL DEFAULT 0, sending TEXT,                              -- message of that ping at the table
    PRIMARY KEY (match, place)
) STRICT, WITHOUT ROWID;
INSERT INTO "post" VALUES(1,-1,10,NULL,0,'','',NULL,NULL,'',NULL,0,NULL);
INSERT INTO "post" VALUES(1,0,0,NULL,0,'','',NULL,101,'',NULL,0,NULL);
INSERT INTO "post" VALUES(1,1,0,NULL,0,'','',NULL,102,'',NULL,0,NULL);
INSERT INTO "post" VALUES(2,-1,10,NULL,0,'','',NULL,NULL,'',NULL,0,NULL);
INSERT INTO "post" VALUES(2,0,0,NULL,0,'','',NULL,101,'',NULL,0,NULL);
INSERT INTO "post" VALUES(2,1,0,NULL,0,'','',NULL,102,'',NULL,0,NULL);
INSERT INTO "post" VALUES(2,2,0,NULL,0,'','',NULL,103,'',NULL,0,NULL);
INSERT INTO "post" VALUES(3,-1,10,NULL,0,'','',NULL,NULL,'',NULL,0,NULL);
INSERT INTO "post" VALUES(3,0,0,NULL,0,'','',NULL,101,'',NULL,0,NULL);
INSERT INTO "post" VALUES(3,1,0,NULL,0,'','',NULL,102,'',NULL,0,NULL);
INSERT INTO "post" VALUES(4,-1,10,NULL,0,'','',NULL,NULL,'',NULL,0,NULL);
INSERT INTO "post" VALUES(4,0,0,NULL,0,'','',NULL,101,'',NULL,0,NULL);
INSERT INTO "post" VALUES(4,1,0,NULL,0,'','',NULL,102,'',NULL,0,NULL);
INSERT INTO "post" VALUES(5,-1,10,NULL,0,'','',NULL,NULL,'',NULL,0,NULL);
INSERT INTO "post" VALUES(5,0,0,NULL,0,'','',NULL,101,'',NULL,0,NULL);
INSERT INTO "post" VALUES(5,1,0,NULL,0,'','',NULL,102,'',NULL,0,NULL);
INSERT INTO "post" VALUES(5,2,0,NULL,0,'','',NULL,103,'',NULL,0,NULL);
CREATE TABLE proposal (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    choice TEXT NOT NULL,                      -- as in `vote`
    starter INTEGER NOT NULL,                  -- the user who started it; 0: their data was deleted
    since INTEGER NOT NULL,                    -- seconds since 1970
    due INTEGER,                               -- when it closes; once it has closed, when the table says so no longer
    ended TEXT CHECK (ended IN ('refused', 'expired')),  -- NULL: it is open
    PRIMARY KEY (match, choice)
) STRICT, WITHOUT ROWID;
CREATE TABLE rating (
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    month TEXT NOT NULL,                       -- "2026-11"; "": all-time
    player INTEGER NOT NULL REFERENCES player (id),
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    points INTEGER NOT NULL,                   -- what players see of both
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    base_mu REAL,
    base_sigma REAL,
    base_matches INTEGER NOT NULL DEFAULT 0,
    base_wins INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (guild, game, month, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE refusal (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (match, user, choice)
) STRICT, WITHOUT ROWID;
CREATE TABLE reminder (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    turn TEXT NOT NULL,                        -- the seat's turn token
    since INTEGER NOT NULL,                    -- seconds since 1970: the wait counts from then on
    due INTEGER,                               -- when the next reminder is due; NULL: none comes, or the match pauses
    sent INTEGER NOT NULL,                     -- how many reminders this turn has had
    pings INTEGER NOT NULL,                    -- the same, with the nudges
    nudger INTEGER, hours TEXT,                            -- the seat that nudged last; NULL: no nudge since the last reminder
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE result (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- ratings take the results in this order
    match INTEGER NOT NULL UNIQUE REFERENCES match (id) ON DELETE CASCADE,
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    ended_at INTEGER NOT NULL,                 -- seconds since 1970
    seats INTEGER NOT NULL,
    moves INTEGER NOT NULL,                    -- without those that were taken back
    rated INTEGER NOT NULL
, early INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE season (
    id INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice: buttons name it
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    opener INTEGER NOT NULL,                   -- a user; 0: their data was deleted
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    locale TEXT NOT NULL,
    seats INTEGER NOT NULL,                    -- players wished at a table
    rounds INTEGER NOT NULL,                   -- 0: as many as it takes to meet all others; settled at the start
    days INTEGER NOT NULL,                     -- that a round lasts at most
    clock TEXT NOT NULL,
    secret TEXT NOT NULL,                      -- only its SHA-256 is shown before the end
    status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over', 'stopped')),
    version INTEGER NOT NULL DEFAULT 1,
    round INTEGER NOT NULL DEFAULT 0,          -- the round under way, from 1
    round_ends INTEGER,                        -- seconds since 1970
    touched_at INTEGER NOT NULL,               -- when a person last did something before the start
    ended_at INTEGER,
    message INTEGER,                           -- the season's message; NULL: not sent yet
    shown INTEGER NOT NULL DEFAULT 0,          -- the version that it shows
    last_message INTEGER                       -- the message that tells the end
, unfinished TEXT NOT NULL DEFAULT 'loses', restores INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE season_table (
    season INTEGER NOT NULL REFERENCES season (id) ON DELETE CASCADE,
    round INTEGER NOT NULL,                    -- from 1
    number INTEGER NOT NULL,                   -- from 0
    places TEXT NOT NULL,                      -- the numbers of its players, in the order of its lobby
    match INTEGER UNIQUE,                      -- NULL: not opened yet. The match may be deleted before the season
    points TEXT,                               -- twice the points of each of these players; NULL: not counted yet
    winners TEXT,                              -- the numbers of the players who won
    PRIMARY KEY (season, round, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE seat (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                   -- in the lobby the order of coming, from the start on the chair
    user INTEGER REFERENCES person (user),     -- NULL: a computer
    name TEXT NOT NULL,
    since INTEGER NOT NULL DEFAULT 0, offered INTEGER NOT NULL DEFAULT 0, ping TEXT CHECK (ping IN ('dm', 'mention', 'both', 'none')), plays_forced INTEGER NOT NULL DEFAULT 0, cut TEXT, came INTEGER, ready INTEGER NOT NULL DEFAULT 0, team INTEGER, level TEXT, hints INTEGER NOT NULL DEFAULT 0, hinted TEXT, sat INTEGER, ahead TEXT,          -- length of the log when they took the seat
    PRIMARY KEY (match, number),
    UNIQUE (match, user)
) STRICT, WITHOUT ROWID;
INSERT INTO "seat" VALUES(1,0,101,'Ann',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(1,1,102,'Ben',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(2,0,101,'Ann',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(2,1,102,'Ben',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(2,2,103,'Cleo',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(3,0,101,'Ann',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(3,1,102,'Ben',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(4,0,101,'Ann',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(4,1,102,'Ben',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(5,0,101,'Ann',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(5,1,102,'Ben',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO "seat" VALUES(5,2,103,'Cleo',0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL);
CREATE TABLE seat_change (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                   -- 0, 1, 2 …
    moves INTEGER NOT NULL,                    -- the length of the log then
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,                        -- 'left', 'removed', 'replaced', 'handed_over', 'took_over', 'came_back'
    user INTEGER,                              -- the player who left or sat down; NULL: their data was deleted
    name TEXT NOT NULL,                        -- that player's name; '': their data was deleted
    computer TEXT NOT NULL,                    -- the computer that sat down or gave way; '': none
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE server (
    guild INTEGER PRIMARY KEY,
    channels TEXT NOT NULL,                    -- JSON: channels for tables; none: all
    games TEXT NOT NULL,                       -- JSON: games that may be played; none: all
    threads TEXT NOT NULL CHECK (threads IN ('allowed', 'never', 'always')),
    most_open INTEGER,                         -- open matches in the server; NULL: any number
    most_each INTEGER,                         -- open matches of one player in it; NULL: any number
    role INTEGER                               -- who may open tables; NULL: everybody
, clocks TEXT NOT NULL DEFAULT '[]', first_clock TEXT, events INTEGER NOT NULL DEFAULT 0, motion INTEGER NOT NULL DEFAULT 1, shows_history INTEGER NOT NULL DEFAULT 1, members_only INTEGER NOT NULL DEFAULT 1, greeting TEXT, greeted INTEGER NOT NULL DEFAULT 0, ping_role INTEGER, role_ping TEXT) STRICT;
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE shard (
    total INTEGER NOT NULL,
    number INTEGER NOT NULL,                   -- from 0
    holder TEXT,                               -- a process; NULL: none
    until INTEGER NOT NULL DEFAULT 0,          -- later another process may take it
    epoch INTEGER NOT NULL DEFAULT 0,          -- grows with each new holder
    heir TEXT,                                 -- the process that connects to it, to be its next holder
    heir_until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (total, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE standing (
    match INTEGER NOT NULL REFERENCES result (match) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player INTEGER REFERENCES player (id),     -- NULL: a computer
    side INTEGER NOT NULL,                     -- the same for the seats of a team
    rank INTEGER NOT NULL,                     -- 1 for all who won
    score INTEGER NOT NULL,
    decisions INTEGER NOT NULL,                -- moves whose time is known
    seconds INTEGER NOT NULL,                  -- that these took together
    points INTEGER,                            -- the player's rating after the match; NULL: it was not rated
    gain INTEGER,                              -- by which the match changed it
    honours TEXT NOT NULL DEFAULT '', beginner INTEGER, gone INTEGER NOT NULL DEFAULT 0,          -- their keys, with spaces between
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE tally (
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,                        -- "seat", "option", "length" …, or one of the game's own
    name TEXT NOT NULL,
    of INTEGER NOT NULL,                       -- how often it was there
    hits INTEGER NOT NULL,                     -- how often it won, or what it amounts to
    PRIMARY KEY (guild, game, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE "vote" (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;
CREATE TABLE waiting (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    user INTEGER NOT NULL REFERENCES person (user),
    name TEXT NOT NULL,
    PRIMARY KEY (match, place),
    UNIQUE (match, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX match_by_status ON match (status);
CREATE INDEX match_by_channel ON match (channel, status);
CREATE INDEX seat_by_user ON seat (user);
CREATE UNIQUE INDEX move_once ON move (match, seat, turn);
CREATE INDEX match_by_guild ON match (guild, status);
CREATE INDEX match_paused ON match (id) WHERE paused_at IS NOT NULL;
CREATE UNIQUE INDEX match_again ON match (previous) WHERE previous IS NOT NULL AND status <> 'cancelled';
CREATE INDEX clock_by_due ON clock (due) WHERE due IS NOT NULL;
CREATE INDEX person_by_digest ON person (digest_due) WHERE digest_due IS NOT NULL;
CREATE INDEX match_by_place ON match (place, status);
CREATE INDEX match_unchecked ON match (id) WHERE doubt = 'unchecked';
CREATE INDEX match_by_start ON match (starts_at) WHERE starts_at IS NOT NULL AND status = 'lobby';
CREATE INDEX proposal_due ON proposal (due) WHERE due IS NOT NULL;
CREATE INDEX reminder_due ON reminder (due) WHERE due IS NOT NULL;
CREATE INDEX former_by_user ON former (user);
CREATE INDEX guest_by_user ON guest (user);
CREATE INDEX result_by_server ON result (guild, ended_at);
CREATE INDEX result_by_game ON result (guild, game, ended_at);
CREATE INDEX result_by_end ON result (ended_at);
CREATE INDEX standing_by_player ON standing (player, match) WHERE player IS NOT NULL;
CREATE INDEX rating_by_points ON rating (guild, game, month, points DESC);
CREATE INDEX rating_by_player ON rating (player);
CREATE UNIQUE INDEX season_in_channel ON season (channel, game) WHERE status IN ('open', 'playing');
CREATE INDEX season_by_channel ON season (channel, id);
CREATE INDEX season_behind ON season (id) WHERE shown < version;
CREATE INDEX season_by_end ON season (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX entrant_by_user ON entrant (user) WHERE user IS NOT NULL;
CREATE INDEX match_by_duplicate ON match (duplicate) WHERE duplicate IS NOT NULL;
CREATE INDEX result_by_rating ON result (guild, game, number) WHERE rated <> 0;
CREATE INDEX match_held ON match (id) WHERE held <> 0;
CREATE INDEX lease_held ON lease (holder) WHERE until > 0;
CREATE INDEX match_by_end ON match (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX standing_by_beginner ON standing (beginner, match) WHERE beginner IS NOT NULL;
INSERT INTO sqlite_sequence VALUES ('match', 5);
PRAGMA user_version = 30;
COMMIT;

//! Writes records of xiangqi programs, for tests that read them back.

/// A game: pieces as FEN signs on squares, moves in ICCS, and other lines, each
/// in the place of a move of the main line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Game {
    /// File, rank from Red's side, sign; empty for the usual position.
    pub pieces: Vec<(u8, u8, u8)>,
    pub moves: Vec<[u8; 4]>,
    /// Number of a move from 0, and what could be played from there.
    pub aside: Vec<(usize, Vec<[u8; 4]>)>,
    /// The number of a move that has a remark, and its bytes.
    pub remark: Option<(usize, Vec<u8>)>,
    pub result: u8,
}

/// A node as both formats know it.
struct Node<'a> {
    step: Option<[u8; 4]>,
    has_next: bool,
    has_sibling: bool,
    remark: Option<&'a [u8]>,
}

const ORDER: &[u8] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

impl Game {
    /// The pieces on their squares.
    pub(crate) fn squares(&self) -> Vec<(u8, u8, u8)> {
        if !self.pieces.is_empty() {
            return self.pieces.clone();
        }
        let rows = [
            (0, "RNBAKABNR"),
            (2, " C     C "),
            (3, "P P P P P"),
            (6, "p p p p p"),
            (7, " c     c "),
            (9, "rnbakabnr"),
        ];
        let mut all = Vec::new();
        for (rank, signs) in rows {
            let signs = (0..).zip(signs.bytes()).filter(|(_, sign)| *sign != b' ');
            all.extend(signs.map(|(file, sign)| (file, rank, sign)));
        }
        all
    }

    /// The tree, depth first.
    fn nodes(&self) -> Vec<Node<'_>> {
        let is_branch = |at: usize| self.aside.iter().any(|(place, _)| *place == at);
        let mut nodes = vec![Node {
            step: None,
            has_next: !self.moves.is_empty(),
            has_sibling: false,
            remark: None,
        }];
        for (at, step) in self.moves.iter().enumerate() {
            let remark = self.remark.as_ref().filter(|(place, _)| *place == at);
            nodes.push(Node {
                step: Some(*step),
                has_next: at + 1 < self.moves.len(),
                has_sibling: is_branch(at),
                remark: remark.map(|(_, text)| text.as_slice()),
            });
        }
        // The last to branch off is the first to be written.
        for place in (0..self.moves.len()).rev() {
            let lines: Vec<_> = self.aside.iter().filter(|(at, _)| *at == place).collect();
            for (count, (_, line)) in lines.iter().enumerate() {
                for (at, step) in line.iter().enumerate() {
                    nodes.push(Node {
                        step: Some(*step),
                        has_next: at + 1 < line.len(),
                        has_sibling: at == 0 && count + 1 < lines.len(),
                        remark: None,
                    });
                }
            }
        }
        nodes
    }
}

fn shortened(text: &[u8], room: usize) -> Vec<u8> {
    let mut field = vec![text.len() as u8];
    field.extend_from_slice(text);
    field.resize(room, 0);
    field
}

/// A record of XQStudio; from version 11 on it is enciphered by three keys.
pub(crate) fn xqf(game: &Game, version: u8, keys: [u8; 3], texts: [&[u8]; 3]) -> Vec<u8> {
    let [xy, from, to] = keys.map(u32::from);
    let sum = (1024 - xy - from - to) % 256;
    let f = |k: u32| (((k * k * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8;
    let plain = version <= 10;
    let (mut key_xy, mut key_from, mut key_to, mut key_remark) = (0, 0, 0, 0);
    let mut head = vec![0; 1024];
    head[..3].copy_from_slice(&[b'X', b'Q', version]);
    let mut stream = [0; 32];
    if !plain {
        key_xy = f(xy) * xy % 256;
        key_from = f(from) * key_xy % 256;
        key_to = f(to) * key_from % 256;
        key_remark = (sum * 256 + xy) % 32_000 + 767;
        head[3] = 0x5a;
        head[8..12].copy_from_slice(&[0x81, 0x42, 0x24, 0x18]);
        for (place, key) in [sum, xy, from, to].into_iter().enumerate() {
            head[12 + place] = key as u8;
        }
        let copyright = b"[(C) Copyright Mr. Dong Shiwei.]";
        for (place, sign) in copyright.iter().enumerate() {
            let key = head[12 + place % 4] & head[3] | head[8 + place % 4];
            stream[place] = sign & key;
        }
    }
    head[16..48].fill(0xff_u8.wrapping_add(key_xy as u8));
    let mut squares = game.squares();
    for (slot, sign) in ORDER.iter().enumerate() {
        let Some(found) = squares.iter().position(|(_, _, known)| known == sign) else {
            continue;
        };
        let (file, rank, _) = squares.remove(found);
        let place = match version {
            12.. => (slot + 64 - 1 - (key_xy as usize % 32)) % 32,
            _ => slot,
        };
        head[16 + place] = ((u32::from(file) * 10 + u32::from(rank) + key_xy) % 256) as u8;
    }
    head[51] = game.result;
    for ((at, room), text) in [(208, 64), (304, 16), (320, 16)].into_iter().zip(texts) {
        head[at..at + room].copy_from_slice(&shortened(text, room));
    }
    let mut body: Vec<u8> = Vec::new();
    for node in game.nodes() {
        let number = |file: u8, rank: u8| u32::from(file - b'a') * 10 + u32::from(rank - b'0');
        let [a, b, c, d] = node.step.unwrap_or(*b"a0a0");
        let mut flags = (u8::from(node.has_next) * 0x80) | (u8::from(node.has_sibling) * 0x40);
        if plain {
            flags = (u8::from(node.has_next) * 0xf0) | (u8::from(node.has_sibling) * 0x0f);
        } else if node.remark.is_some() {
            flags |= 0x20;
        }
        body.push((number(a, b) + 0x18 + key_from) as u8);
        body.push((number(c, d) + 0x20 + key_to) as u8);
        body.extend([flags, 0]);
        if plain || node.remark.is_some() {
            let remark = node.remark.unwrap_or_default();
            body.extend((remark.len() as u32 + key_remark).to_le_bytes());
            body.extend_from_slice(remark);
        }
    }
    for (place, byte) in body.iter_mut().enumerate() {
        *byte = byte.wrapping_add(stream[place % 32]);
    }
    [head, body].concat()
}

/// A record of CCBridge.
pub(crate) fn cbr(game: &Game, texts: [&str; 3], first: u8) -> Vec<u8> {
    let mut bytes = vec![0; 2214];
    bytes[..16].copy_from_slice(b"CCBridge Record\0");
    for (at, text) in [692, 1076, 1300].into_iter().zip(texts) {
        for (place, unit) in text.encode_utf16().enumerate() {
            bytes[at + place * 2..at + place * 2 + 2].copy_from_slice(&unit.to_le_bytes());
        }
    }
    bytes[2076] = game.result;
    bytes[2112] = first;
    let number = |file: u8, rank: u8| (9 - rank) * 9 + file;
    for (file, rank, sign) in game.squares() {
        let kind = b"RNBAKCP"
            .iter()
            .position(|known| known.eq_ignore_ascii_case(&sign))
            .unwrap() as u8
            + 1;
        let side = if sign.is_ascii_uppercase() {
            0x10
        } else {
            0x20
        };
        bytes[2120 + usize::from(number(file, rank))] = side | kind;
    }
    for node in game.nodes() {
        let [a, b, c, d] = node.step.unwrap_or(*b"a9a9");
        let flags = u8::from(!node.has_next)
            | u8::from(node.has_sibling) << 1
            | u8::from(node.remark.is_some()) << 2;
        bytes.extend([
            flags,
            0,
            number(a - b'a', b - b'0'),
            number(c - b'a', d - b'0'),
        ]);
        if let Some(remark) = node.remark {
            bytes.extend((remark.len() as u32).to_le_bytes());
            bytes.extend_from_slice(remark);
        }
    }
    bytes
}

/// A library of some records, each at a place of its own.
pub(crate) fn cbl(records: &[Vec<u8>]) -> Vec<u8> {
    let slots = records.len() as u32;
    let mut bytes = vec![0; 66_624 + 276 * records.len()];
    bytes[..16].copy_from_slice(b"CCBridgeLibrary\0");
    bytes[60..64].copy_from_slice(&slots.to_le_bytes());
    for record in records {
        bytes.extend_from_slice(record);
        bytes.resize(bytes.len() + (4096 - record.len() % 4096) % 4096, 0);
    }
    bytes
}

//! Packs files, for tests that read packed ones.

use std::io::Write;

/// A name and the bytes under it.
pub type Member<'a> = (&'a str, &'a [u8]);

/// A tar archive. Names are written as they are, whatever they lead to.
pub fn tar(members: &[Member<'_>]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        let field = &mut header.as_old_mut().name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A zip archive of deflated members.
pub fn zip(members: &[Member<'_>]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in members {
        let mut deflater =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        deflater.write_all(bytes).unwrap();
        let packed = deflater.finish().unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        // What the header of a member and its line in the directory share:
        // version, flags, method, time, checksum, sizes, lengths of names.
        let mut shared = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        for number in [crc.sum(), packed.len() as u32, bytes.len() as u32] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend((name.len() as u16).to_le_bytes());
        shared.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&shared);
        directory.extend([0; 10]);
        directory.extend((archive.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        archive.extend(b"PK\x03\x04");
        archive.extend(&shared);
        archive.extend(name.as_bytes());
        archive.extend(packed);
    }
    let (start, length) = (archive.len() as u32, directory.len() as u32);
    let count = (members.len() as u16).to_le_bytes();
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count, count].concat());
    archive.extend(length.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0, 0]);
    archive
}

/// A gzip file of one member.
pub fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// A zstandard file of one frame.
pub fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

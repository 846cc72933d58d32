//! Arrays and archives of arrays: every type of number, and every way in which they can be broken.

use super::*;
use std::io::Write;
use tiebreak::instance::io::{array_entries, read_array, read_sparse_array};
use zip::write::SimpleFileOptions;

/// An `.npy` file with this header and these data.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u32).to_le_bytes();
    [b"\x93NUMPY\x02\x00", &length[..], header.as_bytes(), data].concat()
}

fn header(descr: &str, shape: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")
}

#[test]
fn malformed_arrays_are_named() {
    let float = |value: f64| [0.0, value, 1.0, 0.0].map(f64::to_le_bytes).concat();
    for (bytes, fragment) in [
        (b"\x93NUMPY\x01".to_vec(), "the file ends within its header"),
        (b"\x93NUMPY\x09\x00\x00\x00\x00\x00".to_vec(), "version 9 of the .npy format is not known"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(), "a header of 4294967295 bytes"),
        (npy("no dictionary", b""), "the header is not the dictionary"),
        (npy(&format!("{{'descr': {}", "[".repeat(5000)), b""), "the header is not the dictionary"),
        (npy("{'descr': '<f8', }", b""), "the header lacks"),
        (npy("{'size': 3}", b""), "unknown key 'size'"),
        (npy(&header("'<f8'", "(2, 2)").replace("False", "0"), &float(1.0)), "'fortran_order' is '0'"),
        (npy(&header("'<c16'", "(1, 1)"), &[1; 16]), "elements of type '<c16' are not plain numbers"),
        (npy(&header("[('a', '<f8')]", "(1, 1)"), &[1; 8]), "the header is not the dictionary"),
        (npy(&header("'|O'", "(1, 1)"), &[1; 8]), "elements of type '|O'"),
        (npy(&header("'|b1'", "(4,)"), &[1; 4]), "an array of shape [4] is not a matrix"),
        (npy(&header("'|b1'", "(2, 3)"), &[1; 6]), "a matrix of 2 x 3 is not square"),
        (npy(&header("'|b1'", "(-1, -1)"), b""), "'(-1, -1)' is not a shape"),
        (npy(&header("'|b1'", "(3, 3)"), &[1; 8]), "the data end after 8 of the 9 entries"),
        (npy(&header("'|b1'", "(3, 3)"), &[1; 10]), "there are more data than the header says"),
        (npy(&header("'|b1'", "(1099511627776, 1099511627776)"), &[1; 10]), "the header claims an array of shape"),
        (
            npy(&header("'|b1'", "(60000, 60000)"), &[1; 10]),
            "an array of shape [60000, 60000] has more than 100000000 entries",
        ),
        (npy(&header("'<f8'", "(2, 2)"), &float(f64::NAN)), "file, row 0, column 1: the weight 'NaN' is not a finite"),
        (npy(&header("'<f8'", "(2, 2)"), &float(f64::NEG_INFINITY)), "row 0, column 1: the weight '-inf'"),
        (npy(&header("'<f8'", "(2, 2)"), &float(1e-300)), "row 0, column 1: the weight '1e-300' has too many digits"),
    ] {
        let error = read(&bytes, Format::Npy).unwrap_err().to_string();
        assert!(error.contains(fragment), "{error}\n  not {fragment}");
    }
}

#[test]
fn every_plain_type_of_number_is_read() {
    let entry = |bytes: &[u8]| bytes.to_vec();
    for (descr, data, weight) in [
        ("'|i1'", entry(&(-3i8).to_le_bytes()), "-3"),
        ("'<i2'", entry(&(-300i16).to_le_bytes()), "-300"),
        ("'>i4'", entry(&(-300i32).to_be_bytes()), "-300"),
        ("'<i8'", entry(&i64::MIN.to_le_bytes()), "-9223372036854775808"),
        ("'|u1'", entry(&[200]), "200"),
        ("'>u2'", entry(&60000u16.to_be_bytes()), "60000"),
        ("'<u4'", entry(&u32::MAX.to_le_bytes()), "4294967295"),
        ("'<u8'", entry(&u64::MAX.to_le_bytes()), "18446744073709551615"),
        ("'<f2'", entry(&0x2e66u16.to_le_bytes()), "0.1"),
        ("'<f4'", entry(&0.1f32.to_le_bytes()), "0.1"),
        ("'>f8'", entry(&0.1f64.to_be_bytes()), "0.1"),
    ] {
        let graph = read(&npy(&header(descr, "(1, 1)"), &data), Format::Npy).unwrap().graph;
        assert_eq!(
            graph.weight(0, 0).map(|weight| graph.decimal(weight).to_string()).as_deref(),
            Some(weight),
            "{descr}"
        );
    }
    assert!(!read(&npy(&header("'|b1'", "(1, 1)"), &[1]), Format::Npy).unwrap().graph.is_weighted());
}

fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn archives_have_one_matrix_or_name_it() {
    let matrix = || npy(&header("'|b1'", "(2, 2)"), &[0, 1, 0, 0]);
    for names in
        [&["only.npy"][..], &["x.npy", "adj.npy"], &["A.npy", "y.npy"], &["x.npy", "adjacency.npy", "readme.txt"]]
    {
        let entries: Vec<_> = names.iter().map(|&name| (name, matrix())).collect();
        assert_eq!(read(&archive(&entries), Format::Npz).unwrap().graph.arc_count(), 1);
    }
    let two = archive(&[("x.npy", matrix()), ("y.npy", matrix())]);
    let error = read(&two, Format::Npz).unwrap_err().to_string();
    assert!(error.contains("none of the arrays `x` and `y` is called adjacency, adj, A"), "{error}");
    let none = archive(&[("readme.txt", vec![])]);
    assert!(read(&none, Format::Npz).unwrap_err().to_string().contains("no arrays in it"));
    let whole = archive(&[("A.npy", matrix())]);
    for length in 0..whole.len() {
        assert!(read(&whole[..length], Format::Npz).is_err(), "cut off after {length} bytes");
    }
    let array = read_array(&two[..], Format::Npz, &["p", "y"], "file", &ReadOptions::default()).unwrap();
    assert_eq!((array.shape, array.values), (vec![2, 2], vec![0.0, 1.0, 0.0, 0.0]));
}

#[test]
fn archives_do_not_unpack_beyond_the_limit() {
    let options = ReadOptions { max_bytes: 1 << 20, ..ReadOptions::default() };
    let large = npy(&header("'|b1'", "(4000, 4000)"), &vec![0; 16_000_000]);
    let bomb = archive(&[("A.npy", large)]);
    assert!(bomb.len() < 100_000);
    let error = read_from(&bomb[..], Format::Npz, "file", &options).unwrap_err().to_string();
    assert!(error.contains("more than 1048576 bytes"), "{error}");
    let longer = archive(&[("A.npy", npy(&header("'|b1'", "(2, 2)"), &vec![0; 16_000_000]))]);
    let error = read_from(&longer[..], Format::Npz, "file", &options).unwrap_err().to_string();
    assert!(error.contains("more data than the header says"), "{error}");
}

#[test]
fn what_is_not_zero_is_read_as_the_type_of_the_array_has_it() {
    let bytes = |descr: &str, numbers: &[f64]| {
        let data: Vec<u8> = match descr {
            "'<f4'" => numbers.iter().flat_map(|&number| (number as f32).to_le_bytes()).collect(),
            "'<i8'" => numbers.iter().flat_map(|&number| (number as i64).to_le_bytes()).collect(),
            _ => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        };
        npy(&header(descr, "(2, 2)"), &data)
    };
    let read = |bytes: &[u8]| {
        let array = read_sparse_array(bytes, Format::Npy, &[], "file", &ReadOptions::default()).unwrap();
        array.entries.iter().map(|(place, number)| format!("{place}: {number}")).collect::<Vec<_>>()
    };
    // The shortest decimal in single precision is 1073741800, another number.
    let large = f64::from(1u32 << 30);
    assert_eq!(
        read(&bytes("'<f8'", &[0.0, large, 0.333251953125, 0.1])),
        ["1: 1073741824", "2: 0.333251953125", "3: 0.1"]
    );
    assert_eq!(read(&bytes("'<f4'", &[0.0, large, 0.1, 0.0])), ["1: 1073741824", "2: 0.1"]);
    assert_eq!(read(&bytes("'<i8'", &[0.0, large * large, -1.0, 0.0])), ["1: 1152921504606846976", "2: -1"]);
    let graph = super::read(&bytes("'<f4'", &[0.0, large, 0.0, 0.0]), Format::Npy).unwrap().graph;
    assert_eq!(graph.weighted_arcs().collect::<Vec<_>>(), [(0, 1, 1 << 30)]);
    let columns_first = npy(&header("'|i1'", "(2, 3)").replace("False", "True"), &[0, 4, 2, 5, 3, 6]);
    assert_eq!(read(&columns_first), ["3: 4", "1: 2", "4: 5", "2: 3", "5: 6"]);
    let no_number = read_sparse_array(
        &bytes("'<f8'", &[0.0, f64::NAN, 0.0, 0.0])[..],
        Format::Npy,
        &[],
        "file",
        &ReadOptions::default(),
    );
    assert!(no_number.unwrap_err().to_string().contains("entry 1: "));
    let promised = npy(&header("'<f8'", "(7000, 7000)"), b"");
    let entries = array_entries(&promised[..], Format::Npy, &[], "file", &ReadOptions::default());
    assert_eq!(entries.unwrap(), 49_000_000);
}
